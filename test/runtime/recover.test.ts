/** What a dead host left is settled whatever else is damaged, and what it left running is ended before, by whoever comes. */
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { CATALOGUE } from '../../machines/catalogue.ts'
import { createHost } from '../../src/runtime/host.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { silentPorts } from '../support/adb/silent-ports.ts'
import { deviceHost, heldOperator, request, target } from '../support/executions/device-host.ts'
import { manualClock } from '../support/manual-clock.ts'
import { tamper } from '../support/runtime/damage.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-recover-')
let made = 0
let dead: Set<number>
beforeEach(() => {
  dead = new Set()
})

const setup = () => {
  const path = join(folder(), `${made++}`, 'journal.db')
  const clock = manualClock()
  const troubles: string[] = []
  const told = { tell: (what: string) => void troubles.push(what), over: () => {} }
  const journal = openJournal({ path, clock, alive: ({ pid }) => !dead.has(pid), troubles: told })
  return { path, clock, journal, troubles, told }
}

test('a damaged history keeps no other actor from being settled, and is reported', async () => {
  const { path, clock, journal, troubles, told } = setup()
  const first = deviceHost({ journal, clock, operator: heldOperator().operator })
  for (const serial of ['d1', 'd2', 'd3']) await first.tell(target(serial), request(`e-${serial}`, clock))
  dead.add(1)
  tamper(path, "UPDATE records SET fact = x'0001' WHERE actor = 'device:d2' AND n = 1")
  const holder = { pid: 2, started: 's', instance: 'i2' }
  const host = createHost({ journal, clock, definitions: CATALOGUE, ports: {}, holder, troubles: told })
  expect(await host.recover()).toEqual(['device:d1', 'device:d3'])
  expect(troubles.filter(what => what.startsWith('device:d2 '))).toHaveLength(1)
  expect(['d1', 'd3'].map(serial => journal.receipt(`e-${serial}`)?.state)).toEqual(['interrupted', 'interrupted'])
  journal.close()
})

const RUN = { id: 'skill-run:r1', machine: 'skill-run', input: { runId: 'r1' } }
const REQUEST = { skillId: 's', deviceId: null, operatorPackage: 'p', argv: [], timeoutMs: null }

const leave = async () => {
  const bench = setup()
  const { journal, clock } = bench
  const ports = { 'skill-run': silentPorts(CATALOGUE['skill-run'].logic) }
  const host = (pid: number, ended: string[] = []) =>
    createHost({
      journal,
      clock,
      definitions: CATALOGUE,
      ports,
      holder: { pid, started: `s${pid}`, instance: `i${pid}` },
      endLeftProcesses: {
        'skill-run': actor => {
          ended.push(`${actor} while ${journal.last(actor)?.to}`)
        },
      },
    })
  const ended: string[] = []
  await host(1, ended).tell(RUN, { type: 'run.requested', runId: 'r1', ...REQUEST })
  expect(ended, 'a run that begins has left nothing').toEqual([])
  return { ...bench, host }
}

test.each([
  [
    'the recovery of all',
    (host: Awaited<ReturnType<typeof leave>>['host'], ended: string[]) => host(2, ended).recover(),
  ],
  [
    'the recovery of one',
    (host: Awaited<ReturnType<typeof leave>>['host'], ended: string[]) => host(2, ended).recover({ actor: RUN.id }),
  ],
  [
    'an event for it',
    (host: Awaited<ReturnType<typeof leave>>['host'], ended: string[]) =>
      host(2, ended).tell(RUN, { type: 'cancel.requested', runId: 'r1' }),
  ],
])('what a dead host left running is ended before its run is settled, by %s', async (_, come) => {
  const { journal, host } = await leave()
  const early: string[] = []
  await come(host, early)
  expect(early, 'its host lives').toEqual([])
  dead.add(1)
  const ended: string[] = []
  await come(host, ended)
  expect(ended).toEqual([expect.stringMatching(/^skill-run:r1 while (?!failed)/)])
  expect(journal.last(RUN.id)).toMatchObject({ to: 'failed' })
  journal.close()
})

test('it is ended too where the history of the run cannot be read', async () => {
  const { path, journal, host } = await leave()
  dead.add(1)
  tamper(path, `UPDATE records SET fact = x'0001' WHERE actor = '${RUN.id}' AND n = 0`)
  const ended: string[] = []
  expect(await host(2, ended).recover()).toEqual([])
  expect(ended).toHaveLength(1)
  journal.close()
})

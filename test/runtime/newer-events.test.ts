/** Two builds on one journal: what a newer one has recorded of an actor stays as it is, and the older one says why. */
import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../machines/catalogue.ts'
import type { Definition } from '../../machines/definition.ts'
import type { DeviceEmitted } from '../../machines/device/device-setup.ts'
import type { Ownership } from '../../src/contracts/records/journal.ts'
import { recordShared } from '../../src/runtime/append-as-guest.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import {
  answerFor,
  deviceHost,
  heldOperator,
  promptOperator,
  request,
  target,
} from '../support/executions/device-host.ts'
import { manualClock } from '../support/manual-clock.ts'
import { recordOf } from '../support/runtime/records.ts'

const { version } = CATALOGUE.device
/** The next build, whose machine of devices has events that this one does not know. */
const NEXT: Readonly<Record<string, Definition>> = {
  ...CATALOGUE,
  device: { ...CATALOGUE.device, version: version + 1 },
}

const setup = () => {
  const clock = manualClock()
  const dead = new Set<number>()
  const journal = memoryJournal({ alive: ({ pid }) => !dead.has(pid), clock })
  const troubles: string[] = []
  const told = { tell: (what: string, error: unknown) => void troubles.push(`${what}: ${error}`) }
  const older = () =>
    deviceHost({ journal, clock, operator: promptOperator, pid: 2, instance: 'older', troubles: told })
  const newer = (operator = promptOperator) =>
    deviceHost({ journal, clock, operator, pid: 1, instance: 'newer', definitions: NEXT })
  const ask = (host: ReturnType<typeof older>, id: string, serial: string) =>
    host.ask<DeviceEmitted>(target(serial), request(id, clock), { matches: answerFor(id), until: clock.now() + 60_000 })
  return { clock, dead, journal, troubles, older, newer, ask }
}

const refused = (error: unknown) => {
  expect(error).toBeInstanceOf(JournalError)
  const { code, reason, message, hint } = error as JournalError
  expect([code, reason]).toEqual(['JOURNAL_UNAVAILABLE', 'newer-events'])
  expect(message).toContain(`version ${version + 1} of its machine, and this svc knows version ${version}`)
  expect(hint).toContain('use that version')
}

describe('an older build', () => {
  test('records nothing of a device that a newer one has used, and goes on with the others', async () => {
    const { journal, older, newer, ask } = setup()
    expect(await ask(newer(), 'e1', 'd1')).toMatchObject({ kind: 'answered' })
    const head = journal.head()
    const host = older()
    const answer = await ask(host, 'e2', 'd1')
    expect(answer.kind).toBe('unrecorded')
    refused('error' in answer ? answer.error : undefined)
    expect(journal.head()).toBe(head)
    expect(journal.receipt('e2')).toBeUndefined()
    expect(await ask(host, 'e3', 'd2')).toMatchObject({ kind: 'answered', emitted: { type: 'execution.answered' } })
    expect(await ask(newer(), 'e4', 'd1'), 'the newer one goes on').toMatchObject({ kind: 'answered' })
  })

  test('leaves what a newer one left in flight to the newer one, says so, and settles the rest', async () => {
    const { clock, dead, journal, troubles, older, newer } = setup()
    await newer(heldOperator().operator).tell(target('d1'), request('e1', clock))
    const third = deviceHost({ journal, clock, operator: heldOperator().operator, pid: 3, instance: 'third' })
    await third.tell(target('d2'), request('e2', clock))
    dead.add(1).add(3)
    const ended = older()
    expect(await ended.recover()).toEqual(['device:d2'])
    expect(troubles).toEqual([expect.stringMatching(/^device:d1 .* cannot be settled: .*version/)])
    expect(journal.receipt('e1')?.state).toBe('accepted')
    const next = deviceHost({ journal, clock, operator: promptOperator, pid: 4, instance: 'n2', definitions: NEXT })
    expect(await next.recover()).toEqual(['device:d1'])
    expect(journal.receipt('e1')?.state).toBe('interrupted')
  })

  test('adds nothing to the queue of a device whose queue a newer one keeps', async () => {
    const { clock, journal, newer } = setup()
    await newer(heldOperator().operator).tell(target('d1'), request('e1', clock))
    const head = journal.head()
    const said = recordShared(
      { id: 'device:d1', machine: 'device' },
      { type: 'execution.queued', executionId: 'e2' },
      { definition: CATALOGUE.device, journal, clock },
    )
    refused(await said.catch((error: unknown) => error))
    expect(journal.head()).toBe(head)
  })

  test('goes by the newest version of the whole history, also where a checkpoint has taken its place', async () => {
    const { clock, journal, older, newer, ask } = setup()
    await ask(newer(), 'e1', 'd1')
    const { n, seq } = journal.last('device:d1') ?? { n: 0, seq: 0 }
    const snapshot = { value: 'idle', context: { serial: 'd1' }, status: 'active' }
    await journal.saveCheckpoint({ actor: 'device:d1', n: n + 1, seq, version: version + 1, snapshot })
    clock.advance(1_000)
    await journal.prune({ maxAgeMs: 1, maxBytes: Number.MAX_SAFE_INTEGER, now: clock.now() })
    expect(journal.records({ actor: 'device:d1' }).map(record => record.n)).toEqual([n])
    const answer = await ask(older(), 'e2', 'd1')
    refused('error' in answer ? answer.error : undefined)
  })

  test('leaves an actor of a machine that it does not have in flight, and settles the others', async () => {
    const { clock, dead, journal, older } = setup()
    const lease = (key: string): Omit<Ownership, 'fence'> => ({
      key,
      holder: { pid: 1, started: 's', instance: 'newer' },
      since: 1,
      note: { actor: key },
    })
    const begun = recordOf('teleport:t1', 0, { machine: 'teleport', tags: ['in-flight'], to: 'beaming' })
    await journal.begin(lease('teleport:t1'), begun)
    const third = deviceHost({ journal, clock, operator: heldOperator().operator, pid: 3, instance: 'third' })
    await third.tell(target('d2'), request('e2', clock))
    dead.add(1).add(3)
    expect(await older().recover()).toEqual(['device:d2'])
    expect(journal.last('teleport:t1')).toMatchObject({ n: 0, to: 'beaming' })
    expect(journal.leases.read('teleport:t1')).toMatchObject({ holder: { instance: 'newer' } })
  })
})

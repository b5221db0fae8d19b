/** A host that dies in the middle of a run leaves a run that the next one settles, and no child. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import { openJournal } from '../../../../src/runtime/journal/sqlite.ts'
import { isAlive, startOf } from '../../../../src/runtime/processes/processes.ts'
import { endOrphans } from '../../../../src/service/skills/run/child-processes.ts'
import { runProgram, startProgram } from '../../../support/run-program.ts'
import { identityOf } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-skill-recovery-')

/** Larger than any pid: nothing can be hit by mistake. */
const NOBODY = 2 ** 22 + 1

test('killed in mid-run, settled as interrupted, its child ended', async () => {
  const [path, pidFile] = [join(folder(), 'journal.db'), join(folder(), 'pid')]
  const { child, ended } = startProgram('skill-run-host', ['run', path, folder(), pidFile])
  const pid = () => Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : 0)
  const away = () => Number(existsSync(`${pidFile}.away`) ? readFileSync(`${pidFile}.away`, 'utf8') : 0)
  await until(() => pid() > 0 && away() > 0, 'the skill to begin')
  const clock = systemClock()
  const journal = openJournal({ path, alive: isAlive, clock })
  try {
    const actor = () => journal.actors({ machine: 'skill-run' })[0]?.actor ?? ''
    await until(() => journal.last(actor())?.event.type === 'child.spawned', 'the child to be on record')
    const id = actor()
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    expect(identityOf(pid()), 'the child outlives its host').toBeDefined()

    const next = await runProgram('skill-run-host', ['recover', path, folder(), pidFile])
    expect(next).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') })
    expect(JSON.parse(next.stdout)).toEqual({ recovered: [id], ended: [id] })
    expect(journal.last(id)).toMatchObject({ event: { type: 'run.interrupted' }, to: 'failed' })
    expect(journal.records({ actor: id }).filter(({ event }) => event.type === 'run.cleared').length).toBe(1)
    expect(journal.leases.list()).toEqual([])
    await until(() => identityOf(pid()) === undefined, 'the child to be gone')
    if (existsSync('/proc/self/environ'))
      await until(() => startOf(away()) === undefined, 'what it sent away to be gone')
  } finally {
    journal.close()
    if (identityOf(pid()) !== undefined) process.kill(-pid(), 'SIGKILL')
  }
})

test('a process that is not surely the child is left alone', async () => {
  const clock = systemClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const record = (actor: string, event: { type: string } & Record<string, unknown>) =>
    journal.append({ actor, n: 0, machine: 'skill-run', version: 1, at: 1, event, from: '', to: 'x', tags: [] })
  record('skill-run:other', { type: 'child.spawned', pid: NOBODY, started: 'another time' })
  record('skill-run:unknown', { type: 'child.spawned', pid: NOBODY, started: '' })
  record('skill-run:none', { type: 'run.requested' })
  const recovered = ['skill-run:other', 'skill-run:unknown', 'skill-run:none']
  const same = (identity: { started: string }) => identity.started !== 'another time'
  expect(recovered.filter(endOrphans(journal, same))).toEqual([])
})

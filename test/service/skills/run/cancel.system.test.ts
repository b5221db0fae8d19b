/** Runs that are called off: by their caller, by a host that stops, by a journal that fails. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SKILL_KILL_GRACE_MS } from '../../../../src/contracts/limits/limits.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import { runAnswer, runOutcome } from '../../../../src/service/skills/run/run-answer.ts'
import { createSkillLab, identityOf } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-skill-cancels-')

/** A skill that says when it has begun, and a way to call it off then. */
const begin = (script: string) => {
  const skills = createSkillLab(folder())
  const cancel = new AbortController()
  const started = join(skills.root, 'started')
  const pid = () => Number(readFileSync(started, 'utf8'))
  const text = script.replaceAll('BEGUN', () => `echo $$ > ${started}`)
  const run = skills.sh(text, { cancel: cancel.signal })
  const begun = () => until(() => existsSync(started) && pid() > 0, 'the skill to begin')
  return { skills, cancel, run, begun, pid }
}

describe('cancelled by its caller', () => {
  test.each(['SIGINT', 'SIGTERM'])('%s reaches the process group, and the run failed', async signal => {
    const { cancel, run, begun, skills } = begin(
      `trap 'echo got INT; exit 0' INT; trap 'echo got TERM; exit 0' TERM; BEGUN; while :; do sleep 0.05; done`,
    )
    await begun()
    cancel.abort(signal)
    const finished = await run
    expect(finished).toMatchObject({
      status: 'failed',
      error: { code: 'SKILL_EXECUTION_FAILED', message: expect.stringContaining(`cancelled by ${signal}`) },
      exit: { exitCode: 0 },
      captured: { stdout: `got ${signal.slice(3)}\n` },
      cancelledBy: signal,
    })
    expect(runOutcome(finished)).toMatchObject({ status: 'failed', exitCode: 0 })
    expect(skills.events(finished.runId).map(({ type }) => type)).toContain('run.cancelled')
  })

  test('a child that ignores it is killed 3 s later', async () => {
    const { cancel, run, begun, pid, skills } = begin(`trap '' INT TERM; BEGUN; while :; do sleep 0.05; done`)
    await begun()
    const at = skills.clock.elapsed()
    cancel.abort('SIGINT')
    expect(await run).toMatchObject({ status: 'failed', cancelledBy: 'SIGINT', captured: { stdout: '' } })
    expect(skills.clock.elapsed() - at).toBeLessThan(SKILL_KILL_GRACE_MS + 2_000)
    await until(() => identityOf(pid()) === undefined, 'the child to be gone')
  })

  test('before the spawn nothing is started', async () => {
    const skills = createSkillLab(folder())
    const cancel = new AbortController()
    const validate = () => {
      cancel.abort('SIGTERM')
      return new Promise<never>(() => {})
    }
    const finished = await skills.sh('echo never', { cancel: cancel.signal, validate })
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_FAILED' }, cancelledBy: 'SIGTERM' })
    expect(finished).not.toHaveProperty('captured')
  })

  test('before the request nothing is even recorded', async () => {
    const skills = createSkillLab(folder())
    const finished = await skills.sh('echo never', { cancel: AbortSignal.abort('SIGINT') })
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_FAILED' }, cancelledBy: 'SIGINT' })
    expect(skills.journal.head()).toBe(0)
  })

  test('after the end it changes nothing', async () => {
    const skills = createSkillLab(folder())
    const cancel = new AbortController()
    const finished = await skills.sh('echo done', { cancel: cancel.signal })
    cancel.abort('SIGINT')
    expect(finished.status).toBe('success')
    expect(skills.events(finished.runId).at(-1)?.type).toBe('child.exited')
  })
})

test('a host that stops interrupts the run and ends its child', async () => {
  const { run, begun, pid, skills } = begin(`BEGUN; exec sleep 60`)
  await begun()
  await skills.host.stop({ graceMs: 50 })
  const finished = await run
  expect(finished.error).toMatchObject({
    code: 'SKILL_EXECUTION_FAILED',
    message: expect.stringContaining('interrupted; it may have acted'),
  })
  expect(skills.events(finished.runId).at(-1)?.type).toBe('run.interrupted')
  await until(() => identityOf(pid()) === undefined, 'the child to be gone')
})

describe('a journal that fails', () => {
  /** Refuses every event of that type. */
  const without = (type: string): Journal => {
    const journal = memoryJournal({ alive: () => true, clock: systemClock() })
    return {
      ...journal,
      append: async (record, options) => {
        if (record.event.type === type) throw new JournalError('full', 'the disk is full')
        return journal.append(record, options)
      },
      begin: async (lease, record, options) => {
        if (record.event.type === type) throw new JournalError('full', 'the disk is full')
        return journal.begin(lease, record, options)
      },
    }
  }

  test.each([
    ['run.requested', 'nothing was started'],
    ['run.cleared', 'the run was ended'],
    ['child.spawned', 'the run was ended'],
    ['child.exited', 'the run was ended'],
  ])('at %s', async (type, said) => {
    const skills = createSkillLab(folder(), { journal: without(type) })
    const mark = join(skills.root, 'mark')
    const finished = await skills.sh(`sleep 0.3; echo ran > ${mark}`)
    expect(finished.error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', message: expect.stringContaining(said) })
    expect(runAnswer(finished)).toMatchObject({
      status: 500,
      body: { ok: false, error: { code: 'JOURNAL_UNAVAILABLE' } },
    })
    if (type !== 'child.exited') expect(existsSync(mark)).toBe(false)
    expect(skills.runs.size).toBe(0)
  })
})

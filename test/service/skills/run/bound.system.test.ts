/** Nobody waits past the bound: a run answers within 5 s of its deadline, or of its cancellation, whatever fails. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SKILL_TIMEOUT_ANSWER_MS, SKILL_TIMEOUT_MS } from '../../../../src/contracts/limits/limits.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import { refuse } from '../../../../src/service/skills/refusal.ts'
import type { SkillRunDeps } from '../../../../src/service/skills/run/live-run.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'
import { createSkillLab, identityOf, type NewSkill } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { until, wait } from '../../../support/until.ts'

const folder = temporary('svc-skill-bounds-')

/** A journal that another process holds from the first event of that type on: nothing is taken, no lease is given back. */
const heldFrom = (type: string) => {
  const journal = memoryJournal({ alive: () => true, clock: systemClock() })
  let isHeld = false
  const refuseHeld = () => {
    if (isHeld) throw new JournalError('busy', 'database is locked')
  }
  const held: Journal = {
    ...journal,
    append: (record, options) => {
      isHeld ||= record.event.type === type
      refuseHeld()
      return journal.append(record, options)
    },
    leases: {
      ...journal.leases,
      release: lease => {
        refuseHeld()
        return journal.leases.release(lease)
      },
    },
  }
  return { journal: held, isHeld: () => isHeld }
}

describe('the checks before the spawn count', () => {
  const never = () => new Promise<never>(() => {})

  test.each([
    ['files', { validate: never }],
    ['device', { checkDevice: never }],
  ])('the check of its %s does not end', async (stage, more) => {
    const clock = manualClock()
    const skills = createSkillLab(folder(), { clock })
    const running = skills.sh('echo never', { timeoutMs: 3_000, ...more })
    await settled()
    clock.advance(3_000)
    const finished = await running
    expect(finished).toMatchObject({
      error: {
        code: 'SKILL_EXECUTION_TIMEOUT',
        message: expect.stringContaining(`3000 ms: the check of its ${stage} did not end in time; nothing was started`),
      },
      timeoutMs: 3_000,
    })
    expect(finished).not.toHaveProperty('captured')
  })

  test('one that takes all of the time in one go starts nothing', async () => {
    const clock = jumpingClock()
    const skills = createSkillLab(folder(), { clock })
    const mark = join(skills.root, 'mark')
    const validate = async () => {
      clock.jump(60_000)
      return { ok: true } as const
    }
    const finished = await skills.sh(`echo ran > ${mark}`, { timeoutMs: 60_000, validate })
    expect(finished.error).toMatchObject({ code: 'SKILL_EXECUTION_TIMEOUT' })
    expect(existsSync(mark)).toBe(false)
  })

  test('one that says no when the time is over is heard', async () => {
    const clock = jumpingClock()
    const validate = async () => {
      clock.jump(60_000)
      return refuse('SKILL_VALIDATION_FAILED', 'invalid')
    }
    const finished = await createSkillLab(folder(), { clock }).sh('true', { timeoutMs: 60_000, validate })
    expect(finished.error).toMatchObject({ code: 'SKILL_VALIDATION_FAILED' })
  })

  test('the script gets what they left of the time', async () => {
    const clock = jumpingClock()
    const skills = createSkillLab(folder(), { clock })
    const validate = async () => {
      clock.jump(59_000)
      return { ok: true } as const
    }
    const finished = await skills.sh('echo begun; exec sleep 60', { timeoutMs: 60_000, validate })
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, captured: { stdout: 'begun\n' } })
  })
})

describe('how long the answer of the journal is waited for', () => {
  const AGENT: Partial<NewSkill> = { skillJson: { agent: { cli: 'codex', timeoutMs: 7_000 } } }

  test.each<[string, number | undefined, Partial<NewSkill>, number]>([
    ['the timeout of the caller', 3_000, AGENT, 3_000],
    ['that of the skill', undefined, AGENT, 7_000],
    ['the default', undefined, {}, SKILL_TIMEOUT_MS],
  ])('%s, and no more than 5 s', async (_name, timeoutMs, skill, effective) => {
    const clock = manualClock()
    const skills = createSkillLab(folder(), { clock })
    skills.add({ files: { 'scripts/run.sh': '#!/bin/sh\n' }, ...skill })
    const waits: number[] = []
    const host: SkillRunDeps['host'] = {
      tell: skills.host.tell,
      whileOwned: skills.host.whileOwned,
      follow: skills.host.follow,
      endForOwner: skills.host.endForOwner,
      ask: async (_target, _event, options) => {
        waits.push(options.until - clock.now())
        return { kind: 'expired' }
      },
    }
    const finished = await skills.run({ timeoutMs, host })
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, timeoutMs: effective })
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(effective)
    expect(waits[0]).toBeLessThanOrEqual(effective + SKILL_TIMEOUT_ANSWER_MS)
  })
})

test('a journal that is held when the script ends: the run timed out, and what it printed is kept', async () => {
  const clock = jumpingClock()
  const { journal, isHeld } = heldFrom('child.exited')
  const skills = createSkillLab(folder(), { clock, journal })
  const running = skills.sh('echo done', { timeoutMs: 60_000 })
  await until(isHeld, 'the end of the script')
  clock.jump(60_000 + SKILL_TIMEOUT_ANSWER_MS)
  expect(await running).toMatchObject({
    status: 'failed',
    error: { code: 'SKILL_EXECUTION_TIMEOUT', message: expect.stringContaining('could not be recorded') },
    exit: { exitCode: 0 },
    captured: { stdout: 'done\n' },
    timeoutMs: 60_000,
  })
  expect(skills.runs.size).toBe(0)
})

describe('a cancellation that cannot be recorded', () => {
  const begin = async (script: string) => {
    const { journal } = heldFrom('run.cancelled')
    const skills = createSkillLab(folder(), { journal })
    const cancel = new AbortController()
    const started = join(skills.root, 'started')
    const pid = () => Number(readFileSync(started, 'utf8'))
    const running = skills.sh(
      script.replaceAll('BEGUN', () => `echo $$ > ${started}`),
      { cancel: cancel.signal },
    )
    await until(() => existsSync(started) && pid() > 0, 'the skill to begin')
    return { cancel, running, pid }
  }

  test.each([
    ['ends the script', `trap 'exit 0' TERM; BEGUN; while :; do sleep 0.05; done`],
    ['kills a script that ignores it', `trap '' TERM; BEGUN; while :; do sleep 0.05; done`],
  ])('%s', async (_name, script) => {
    const { cancel, running, pid } = await begin(script)
    const clock = systemClock()
    const at = clock.elapsed()
    cancel.abort('SIGINT')
    expect(await running).toMatchObject({ status: 'failed', cancelledBy: 'SIGINT', captured: { stdout: '' } })
    expect(clock.elapsed() - at).toBeLessThan(SKILL_TIMEOUT_ANSWER_MS)
    await until(() => identityOf(pid()) === undefined, 'the child to be gone')
  })

  test('before the spawn: nothing is started afterwards', async () => {
    const { journal } = heldFrom('run.cancelled')
    const skills = createSkillLab(folder(), { journal })
    const mark = join(skills.root, 'mark')
    const cancel = new AbortController()
    let pass = () => {}
    const validate = () =>
      new Promise<{ ok: true }>(resolve => {
        pass = () => resolve({ ok: true })
        cancel.abort('SIGTERM')
      })
    const finished = await skills.sh(`echo ran > ${mark}`, { cancel: cancel.signal, validate })
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_FAILED' }, cancelledBy: 'SIGTERM' })
    pass()
    await wait(200)
    expect(existsSync(mark)).toBe(false)
  })
})

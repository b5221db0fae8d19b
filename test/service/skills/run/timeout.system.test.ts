/** Deadlines: scripts that ignore them, hide from them or set them far away. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SKILL_KILL_GRACE_MS, SKILL_TIMEOUT_ANSWER_MS, TIMER_MS_MAX } from '../../../../src/contracts/limits/limits.ts'
import { effectiveTimeout, timeoutProblem } from '../../../../src/service/skills/run/timeout.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { killProcess } from '../../../support/kill-process.ts'
import { createSkillLab, identityOf, printFrame, whenSaid } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-skill-timeouts-')
const lab = () => createSkillLab(folder())

/** Script text: something that leaves the process group and keeps stdout and stderr open. */
const sendAway = (pids: string) => `
  const away = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 1, 2] })
  require('node:fs').writeFileSync(${JSON.stringify(pids)}, String(away.pid))
  away.unref()`

const pidIn = (path: string) => Number(readFileSync(path, 'utf8'))
const isGone = (pid: number) => identityOf(pid) === undefined || readState(pid) === 'Z'
const readState = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]
  } catch {
    return undefined
  }
}

/** Long enough for a busy machine to start a child. */
const TIMEOUT_MS = 2_500

/** A deadline that is reached as soon as the child has said `begun`. */
const pastDeadline = () => {
  const clock = jumpingClock()
  const onOutput = whenSaid('begun', () => clock.jump(60_000))
  return { skills: createSkillLab(folder(), { clock }), more: { timeoutMs: 60_000, onOutput } }
}

describe.concurrent('past its deadline', () => {
  test('a child that ends when it is asked to is not killed, and still timed out', async () => {
    const { skills, more } = pastDeadline()
    const script = `trap 'echo ended; exit 0' TERM; echo begun; while :; do sleep 0.05; done`
    expect(await skills.sh(script, more)).toMatchObject({
      error: { code: 'SKILL_EXECUTION_TIMEOUT' },
      exit: { exitCode: 0 },
      captured: { stdout: 'begun\nended\n' },
    })
  })

  test('a frame that comes too late does not count as a success', async () => {
    const { skills, more } = pastDeadline()
    const finished = await skills.sh(`trap 'true' TERM; echo begun; sleep 60 & wait\n${printFrame()}`, more)
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, skillResult: { status: 'success' } })
  })

  test('a child that ignores SIGTERM is killed 3 s later, with all of its group', async () => {
    const skills = lab()
    const pids = join(skills.root, 'pid')
    const script = `trap '' TERM; sh -c 'trap "" TERM; echo $$ > ${pids}; while :; do sleep 0.05; done' & while :; do sleep 0.05; done`
    const begun = skills.clock.elapsed()
    const finished = await skills.sh(script, { timeoutMs: TIMEOUT_MS })
    const took = skills.clock.elapsed() - begun
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, exit: { signal: 'SIGKILL' } })
    expect(took).toBeGreaterThan(TIMEOUT_MS + SKILL_KILL_GRACE_MS - 100)
    expect(took).toBeLessThan(TIMEOUT_MS + SKILL_TIMEOUT_ANSWER_MS)
    await until(() => isGone(pidIn(pids)), 'the grandchild to be gone')
  })

  test('a detached grandchild that holds stdout does not hold the answer, and ends with the run', async () => {
    const skills = lab()
    const pids = join(skills.root, 'pid')
    const begun = skills.clock.elapsed()
    const finished = await skills.js(`${sendAway(pids)}; console.log('partial'); setInterval(() => {}, 1000)`, {
      timeoutMs: TIMEOUT_MS,
    })
    expect(finished).toMatchObject({
      error: { code: 'SKILL_EXECUTION_TIMEOUT' },
      captured: { stdout: 'partial\n' },
    })
    expect(skills.clock.elapsed() - begun).toBeLessThan(TIMEOUT_MS + SKILL_TIMEOUT_ANSWER_MS)
    expect(isGone(pidIn(pids))).toBe(true)
  })

  test('nor does it when the child has to be killed first', async () => {
    const clock = jumpingClock()
    const skills = createSkillLab(folder(), { clock })
    const pids = join(skills.root, 'pid')
    const begun = whenSaid('begun', () => clock.jump(60_000))
    const asked = whenSaid('asked', () => clock.jump(SKILL_KILL_GRACE_MS))
    const finished = await skills.js(
      `process.on('SIGTERM', () => console.log('asked')); ${sendAway(pids)}; console.log('begun'); setInterval(() => {}, 1e3)`,
      {
        timeoutMs: 60_000,
        onOutput: output => {
          begun?.(output)
          asked?.(output)
        },
      },
    )
    expect(finished).toMatchObject({
      error: { code: 'SKILL_EXECUTION_TIMEOUT' },
      captured: { stdout: 'begun\nasked\n' },
    })
    expect(isGone(pidIn(pids))).toBe(true)
  })
})

describe.concurrent('within its deadline', () => {
  test('a child that has ended is judged, though something it sent away holds its stdout', async () => {
    const skills = lab()
    const pids = join(skills.root, 'pid')
    const begun = skills.clock.elapsed()
    const finished = await skills.js(`${sendAway(pids)}; console.log('done')`, { timeoutMs: 40_000 })
    try {
      expect(finished).toMatchObject({ status: 'success', captured: { stdout: 'done\n' } })
      expect(skills.clock.elapsed() - begun).toBeLessThan(20_000)
    } finally {
      killProcess(pidIn(pids))
    }
  })

  test('what a child leaves behind in its group ends with the run', async () => {
    const skills = lab()
    const pids = join(skills.root, 'pid')
    const finished = await skills.sh(`sleep 60 >/dev/null 2>&1 & echo $! > ${pids}`)
    expect(finished.status).toBe('success')
    await until(() => isGone(pidIn(pids)), 'the background process to be gone')
  })

  test.each([TIMER_MS_MAX + 1, 2 ** 40, Number.MAX_VALUE])('a timeout of %d ms does not mean now', async timeoutMs => {
    const finished = await lab().sh('sleep 0.1; echo done', { timeoutMs })
    expect(finished).toMatchObject({ status: 'success', timeoutMs: Math.min(timeoutMs, Number.MAX_SAFE_INTEGER) })
  })
})

test('the caller comes before the skill, and that before the default', async () => {
  expect(effectiveTimeout(5, 7)).toBe(5)
  expect(effectiveTimeout(undefined, 7)).toBe(7)
  expect(effectiveTimeout(undefined, undefined)).toBe(120_000)
})

test('timeouts that are none', async () => {
  for (const timeoutMs of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const skills = lab()
    const finished = await skills.sh('echo never', { timeoutMs })
    expect(finished.error).toMatchObject({
      code: 'EXECUTION_VALIDATION_FAILED',
      message: 'timeoutMs must be a finite number',
      hint: 'Give it in milliseconds, without a unit: 120000.',
    })
    expect(finished).not.toHaveProperty('timeoutMs')
    expect(skills.journal.head()).toBe(0)
  }
  expect(timeoutProblem(0)?.error.code).toBe('EXECUTION_VALIDATION_FAILED')
  expect(timeoutProblem(0.5)).toBeUndefined()
})

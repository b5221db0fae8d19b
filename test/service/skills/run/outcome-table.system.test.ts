/** Every row of the contract's "Wrapper outcome of a skill run", with real children, for the CLI and for HTTP. */
import { chmodSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { SkillRunOutcome, SkillRunResponse } from '../../../../src/contracts/skills/skill-run.ts'
import type { FinishedRun } from '../../../../src/service/skills/run/finished-run.ts'
import { runAnswer, runOfAnswer, runOutcome } from '../../../../src/service/skills/run/run-answer.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { createSkillLab, frameOf, printFrame, whenSaid } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-outcomes-')
const lab = () => createSkillLab(folder())

const contract = { inputs: { level: 'integer' }, verification: { kind: 'node_text_matches', matcher: 'Level {level}' } }
const declares = { skillJson: { contract } }
const verified = (text = 'Level 22') => ({
  inputs: { level: 22 },
  terminalVerification: { status: 'verified', observed: { kind: 'text', text } },
})
const scripted = (more: Record<string, unknown> = {}) => ({ ...frameOf(more), source: { kind: 'script' } })

/** Both surfaces, checked against their schemas, and what another host makes of the answer over HTTP. */
const both = (finished: FinishedRun) => {
  const [outcome, answer] = [runOutcome(finished), runAnswer(finished)]
  expect(v.parse(SkillRunOutcome, outcome)).toEqual(outcome)
  expect(v.parse(SkillRunResponse, answer.body)).toEqual(answer.body)
  expect(runOutcome(runOfAnswer(answer.body, finished))).toEqual(outcome)
  return { outcome, ...answer }
}

const ms = expect.any(Number)

describe('success', () => {
  test('child exits 0, a valid frame was parsed', async () => {
    const { outcome, status, body } = both(await lab().sh(`echo hello; ${printFrame()}`))
    expect(outcome).toEqual({ status: 'success', skillResult: scripted(), durationMs: ms })
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, skillResult: scripted(), durationMs: ms } })
  })

  test('the same, and the declared verification proved', async () => {
    const finished = await lab().sh(printFrame(verified()), { args: ['--level', '22'] }, declares)
    expect(both(finished).outcome).toEqual({ status: 'success', skillResult: scripted(verified()), durationMs: ms })
  })

  test('child exits 0, no frame, skill is not agent-driven', async () => {
    const { outcome, status, body } = both(await lab().sh('echo hello; echo there >&2'))
    const unframed = {
      status: 'success',
      skillId: 'com.lab.do',
      output: 'hello\n',
      exitCode: 0,
      skillResult: null,
      durationMs: ms,
    }
    expect(outcome).toEqual(unframed)
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, ...unframed } })
  })

  test('what the caller asked for is said again', async () => {
    const asked = { timeoutMs: 30_000, expectContains: 'hello' }
    const echoed = { timeoutMs: 30_000, expectedSubstring: 'hello' }
    expect(both(await lab().sh('echo hello', asked)).body).toMatchObject({ ok: true, ...echoed })
    expect(both(await lab().sh(`echo hello; ${printFrame()}`, asked)).outcome).toMatchObject(echoed)
  })

  test('a domain failure without a declared verification stays visible, and the wrapper succeeds', async () => {
    const { outcome } = both(await lab().sh(printFrame({ status: 'failed' })))
    expect(outcome).toMatchObject({ status: 'success', skillResult: { status: 'failed' } })
  })
})

describe('indeterminate: declared verification not proved', () => {
  test('with a result', async () => {
    const finished = await lab().sh(printFrame(verified('Level 21')), { args: ['22'], timeoutMs: 30_000 }, declares)
    const { outcome, status, body } = both(finished)
    const shape = {
      status: 'indeterminate',
      code: 'SKILL_VERIFICATION_INDETERMINATE',
      message: expect.stringMatching(/^Declared verification was not proved: .*Level 21/),
      hint: expect.stringContaining('Look at the screen'),
      skillResult: scripted(verified('Level 21')),
      durationMs: ms,
      timeoutMs: 30_000,
    }
    expect(outcome).toEqual(shape)
    expect({ status, body }).toEqual({ status: 200, body: { ok: null, ...shape } })
  })

  test('without any result', async () => {
    const { outcome, status, body } = both(await lab().sh('echo hello', { args: ['22'] }, declares))
    expect(outcome).toMatchObject({ status: 'indeterminate', skillResult: null })
    expect({ status, body }).toMatchObject({ status: 200, body: { ok: null, skillResult: null } })
  })
})

describe('failed', () => {
  const failedBoth = async (run: Promise<FinishedRun>) => {
    const { outcome, status, body } = both(await run)
    const { status: wrapper, ...error } = outcome as { status: string }
    expect(wrapper).toBe('failed')
    expect({ status, body }).toEqual({ status: 400, body: { ok: false, status: 'failed', error } })
    return error
  }

  test('frame malformed or untrusted', async () => {
    const error = await failedBoth(lab().sh(`echo oops >&2\n${printFrame({ source: { kind: 'script' } })}`))
    expect(error).toMatchObject({
      code: 'SKILL_RESULT_PARSE_FAILED',
      message: expect.stringContaining('source'),
      skillId: 'com.lab.do',
      exitCode: 0,
      stdout: expect.stringContaining('[Svc-Skill-Result]'),
      stderr: 'oops\n',
      skillResult: null,
    })
  })

  test('run with declared verification reports domain failure', async () => {
    const error = await failedBoth(lab().sh(printFrame({ status: 'failed' }), { args: ['22'] }, declares))
    expect(error).toMatchObject({
      code: 'SKILL_EXECUTION_FAILED',
      exitCode: 0,
      skillResult: scripted({ status: 'failed' }),
    })
  })

  test('child exits non-zero', async () => {
    const error = await failedBoth(lab().sh('echo out; echo err >&2; exit 3'))
    expect(error).toMatchObject({
      code: 'SKILL_EXECUTION_FAILED',
      skillId: 'com.lab.do',
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      skillResult: null,
      retriable: false,
    })
  })

  test('child exits non-zero with a frame, and stderr is left out when empty', async () => {
    const error = await failedBoth(lab().sh(`${printFrame({ status: 'failed' })}\nexit 1`))
    expect(error).toMatchObject({ code: 'SKILL_EXECUTION_FAILED', exitCode: 1, skillResult: { status: 'failed' } })
    expect(error).not.toHaveProperty('stderr')
  })

  test('child is ended by a signal', async () => {
    const error = await failedBoth(lab().sh('echo out; kill -SEGV $$'))
    expect(error).toMatchObject({
      code: 'SKILL_EXECUTION_FAILED',
      message: expect.stringContaining('SIGSEGV'),
      exitCode: null,
      stdout: 'out\n',
    })
  })

  test.each([
    ['not executable', { 'scripts/run.txt': 'x' }, 'EACCES'],
    ['an interpreter that is not there', { 'scripts/run.sh': '#!/no/such/interpreter\n' }, 'ENOENT'],
  ])('child cannot be spawned: %s', async (_name, files, code) => {
    const skills = lab()
    const made = skills.add({ files })
    if (code === 'EACCES') chmodSync(`${made}/scripts/run.txt`, 0o644)
    const error = await failedBoth(skills.run())
    expect(error).toMatchObject({ code: 'SKILL_EXECUTION_FAILED', message: expect.stringContaining(code) })
    for (const absent of ['exitCode', 'stdout', 'skillResult']) expect(error).not.toHaveProperty(absent)
  })

  test('child cannot be spawned: arguments that no system takes', async () => {
    for (const arg of ['\0', 'x'.repeat(3_000_000)]) {
      const error = await failedBoth(lab().sh('echo never', { args: [arg] }))
      expect(error).toMatchObject({
        code: 'SKILL_EXECUTION_FAILED',
        message: expect.stringContaining('not be started'),
      })
    }
  })

  test('timeout elapsed, partial stdout kept', async () => {
    const clock = jumpingClock()
    const onOutput = whenSaid('partial', () => clock.jump(400_000))
    const run = createSkillLab(folder(), { clock }).sh('echo partial; exec sleep 60', { timeoutMs: 400_000, onOutput })
    const error = await failedBoth(run)
    expect(error).toMatchObject({
      code: 'SKILL_EXECUTION_TIMEOUT',
      message: expect.stringContaining('400000 ms'),
      skillId: 'com.lab.do',
      stdout: 'partial\n',
      timeoutMs: 400_000,
      skillResult: null,
    })
  })

  test('expected text absent from stdout', async () => {
    const error = await failedBoth(
      lab().sh(`echo hello; echo wanted >&2; ${printFrame()}`, { expectContains: 'wanted' }),
    )
    expect(error).toMatchObject({
      code: 'SKILL_OUTPUT_ASSERTION_FAILED',
      skillId: 'com.lab.do',
      output: expect.stringMatching(/^hello\n/),
      expectedSubstring: 'wanted',
      skillResult: scripted(),
    })
    expect(error).not.toHaveProperty('stdout')
  })
})

describe('order of judgement', () => {
  test.each([
    ['malformed before non-zero', 'echo "[Svc-Skill-Result]"; exit 3', {}, 'SKILL_RESULT_PARSE_FAILED'],
    ['non-zero before the expectation', 'exit 3', { expectContains: 'x' }, 'SKILL_EXECUTION_FAILED'],
    [
      'verification before the expectation',
      printFrame({ status: 'success' }),
      { expectContains: 'x"' },
      'SKILL_VERIFICATION_INDETERMINATE',
    ],
    [
      'a domain failure before the expectation',
      printFrame({ status: 'failed' }),
      { expectContains: 'x"' },
      'SKILL_EXECUTION_FAILED',
    ],
    ['domain failure before what is not proved', printFrame({ status: 'failed' }), {}, 'SKILL_EXECUTION_FAILED'],
  ])('%s', async (_name, script, more, code) => {
    const finished = await lab().sh(script, { args: ['22'], ...more }, declares)
    expect(finished.error?.code).toBe(code)
  })
})

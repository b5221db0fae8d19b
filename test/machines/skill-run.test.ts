import { describe, expect, test } from 'vitest'
import { skillRun } from '../../machines/skill-run/skill-run.ts'
import { given } from '../support/runtime/given.ts'

const requested = {
  type: 'run.requested',
  at: 100,
  runId: 'r1',
  skillId: 'com.app.do',
  deviceId: null,
  operatorPackage: 'com.svc.operator',
  argv: [],
  timeoutMs: null,
}
const cleared = (agentDriven = false) => ({
  type: 'run.cleared',
  at: 110,
  script: '/s/run.js',
  digest: 'd',
  argv: ['/s/run.js'],
  agentDriven,
  deadlineAt: 120_110,
})
const spawned = { type: 'child.spawned', at: 120, pid: 7, started: 's' }
const exited = (facts: Record<string, unknown> = {}) => ({
  type: 'child.exited',
  at: 500,
  exitCode: 0,
  signal: null,
  frame: 'valid',
  verification: 'undeclared',
  expectationMet: true,
  body: { stdout: 'x' },
  ...facts,
})
const deadline = (at: number) => ({ type: 'deadline.passed', at })
const running = (agentDriven = false) => [requested, cleared(agentDriven), spawned]

describe('judgement, in its order', () => {
  test.each([
    ['framed success', {}, false, 'succeeded', null],
    ['framed success of an agent', {}, true, 'succeeded', null],
    ['proved', { verification: 'proved' }, false, 'succeeded', null],
    ['unframed success', { frame: 'none' }, false, 'succeeded', null],
    ['agent without a frame', { frame: 'none' }, true, 'failed', 'SKILL_RESULT_PARSE_FAILED'],
    ['malformed', { frame: 'malformed' }, false, 'failed', 'SKILL_RESULT_PARSE_FAILED'],
    ['non-zero', { exitCode: 3 }, false, 'failed', 'SKILL_EXECUTION_FAILED'],
    ['killed by a signal', { exitCode: null, signal: 'SIGSEGV' }, false, 'failed', 'SKILL_EXECUTION_FAILED'],
    ['not proved', { verification: 'unproved' }, false, 'indeterminate', 'SKILL_VERIFICATION_INDETERMINATE'],
    ['domain failure', { verification: 'domain-failed' }, false, 'failed', 'SKILL_EXECUTION_FAILED'],
    ['unexpected', { expectationMet: false }, false, 'failed', 'SKILL_OUTPUT_ASSERTION_FAILED'],
    ['malformed before non-zero', { frame: 'malformed', exitCode: 1 }, false, 'failed', 'SKILL_RESULT_PARSE_FAILED'],
    ['non-zero before unexpected', { exitCode: 1, expectationMet: false }, false, 'failed', 'SKILL_EXECUTION_FAILED'],
    ['non-zero agent without frame', { exitCode: 1, frame: 'none' }, true, 'failed', 'SKILL_EXECUTION_FAILED'],
    [
      'unproved before unexpected',
      { expectationMet: false, verification: 'unproved' },
      false,
      'indeterminate',
      'SKILL_VERIFICATION_INDETERMINATE',
    ],
    [
      'domain failure before unexpected',
      { expectationMet: false, verification: 'domain-failed' },
      false,
      'failed',
      'SKILL_EXECUTION_FAILED',
    ],
    [
      'unexpected where verification is proved',
      { expectationMet: false, verification: 'proved' },
      false,
      'failed',
      'SKILL_OUTPUT_ASSERTION_FAILED',
    ],
  ])('%s', (_name, facts, agentDriven, state, code) => {
    const then = given(skillRun, running(agentDriven), { runId: 'r1' }).when(exited(facts))
    expect(then.state).toBe(state)
    expect(then.emitted).toEqual([
      {
        type: 'run.judged',
        runId: 'r1',
        status: state === 'succeeded' ? 'success' : state,
        code,
        durationMs: 400,
        body: { stdout: 'x' },
      },
    ])
  })
})

describe('ends that are not an exit', () => {
  test('a gate that says no is answered with its own code, and nothing was spawned', () => {
    const then = given(skillRun, [requested]).when({
      type: 'run.refused',
      at: 105,
      code: 'DEVICE_NOT_FOUND',
      message: 'x',
    })
    expect(then).toMatchObject({ state: 'failed', ports: [], emitted: [{ code: 'DEVICE_NOT_FOUND' }] })
  })

  test('a child that cannot be spawned', () => {
    const then = given(skillRun, [requested, cleared()]).when({ type: 'child.failed', at: 111, message: 'EACCES' })
    expect(then).toMatchObject({ state: 'failed', emitted: [{ code: 'SKILL_EXECUTION_FAILED' }] })
  })

  test('timeout: asked to end, killed 3 s later, answered a second after that even if nobody exits', () => {
    const asked = given(skillRun, running()).when(deadline(120_110))
    expect(asked).toMatchObject({ state: 'active.spawned.terminating.asked', sent: 1, emitted: [] })
    const killed = given(skillRun, [...running(), deadline(120_110)]).when(deadline(123_110))
    expect(killed).toMatchObject({ state: 'active.spawned.terminating.killed', sent: 1, emitted: [] })
    const answered = given(skillRun, [...running(), deadline(120_110), deadline(123_110)]).when(deadline(124_110))
    expect(answered).toMatchObject({ state: 'failed', emitted: [{ code: 'SKILL_EXECUTION_TIMEOUT' }] })
  })

  test('a child that ends well after its deadline has still timed out, and its output is kept', () => {
    const then = given(skillRun, [...running(), deadline(120_110)]).when(exited({ at: 121_000 }))
    expect(then).toMatchObject({
      state: 'failed',
      emitted: [{ code: 'SKILL_EXECUTION_TIMEOUT', body: { stdout: 'x' } }],
    })
  })

  test('a cancelled run never counts as a success', () => {
    const cancelled = { type: 'run.cancelled', at: 400, signal: 'SIGINT' }
    expect(given(skillRun, running()).when(cancelled)).toMatchObject({ state: 'active.spawned.cancelling', sent: 1 })
    expect(given(skillRun, [...running(), cancelled]).when(exited())).toMatchObject({ state: 'failed' })
  })

  test('an interrupted run is settled as failed', () => {
    expect(given(skillRun, running()).when({ type: 'run.interrupted', at: 9_000 })).toMatchObject({ state: 'failed' })
  })
})

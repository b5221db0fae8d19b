/** Which flows of an earlier run are run again, however that run has ended. */
import { describe, expect, test } from 'vitest'
import type { TestFlow, TestRun, Verdict } from '../../../src/contracts/flows/test-run.ts'
import { type RecordedRequest, rerunOf, shardName } from '../../../src/service/flows/request.ts'

const REQUEST: RecordedRequest = {
  paths: ['flows'],
  cwd: '/project',
  caller: 'cli',
  folder: '/home/run',
  tokens: { SEC: '[secret SEC 0]' },
  onlyNames: ['earlier'],
}

const flow = (name: string, verdict: Verdict | null, deviceId?: string): TestFlow => ({
  ...{ flow: `${name}.yaml`, name, tags: [], properties: {}, verdict, attempts: [] },
  ...(deviceId === undefined ? {} : { deviceId }),
})

const run = (state: TestRun['state'], verdict: Verdict | null, flows: TestFlow[]): TestRun => ({
  ...{ testRunId: 'r1', state, verdict, startedAt: 1, folder: '/home/run', flows },
})

const namesOf = (testRun: TestRun) => {
  const rerun = rerunOf(REQUEST, testRun)
  return rerun.ok ? rerun.request.onlyNames : rerun.problem
}

describe('a run whose flows are known', () => {
  const MIXED = [
    flow('a', 'passed'),
    flow('b', 'failed'),
    flow('c', 'indeterminate'),
    flow('d', 'skipped'),
    flow('e', 'cancelled'),
    flow('f', null),
  ]

  test.each([
    ['that failed', run('ended', 'failed', MIXED)],
    ['that was cancelled', run('ended', 'cancelled', MIXED)],
    ['whose process died', run('interrupted', null, MIXED)],
  ])('%s: all that did not pass', (_, testRun) => {
    expect(namesOf(testRun)).toEqual(['b', 'c', 'd', 'e', 'f'])
  })

  test('that passed: nothing', () => {
    expect(namesOf(run('ended', 'passed', [flow('a', 'passed')]))).toMatch(/Every flow of the run r1 has passed/)
  })

  test('over all phones: by the own names of the flows, each once', () => {
    const flows = ['p1', 'p2'].map(phone => flow(shardName('a', phone), 'failed', phone))
    expect(namesOf(run('ended', 'failed', flows))).toEqual(['a'])
  })
})

test.each([
  ['refused', run('ended', 'failed', [])],
  ['cancelled', run('ended', 'cancelled', [])],
  ['broken', run('ended', 'indeterminate', [])],
  ['interrupted', run('interrupted', null, [])],
])('a run that was %s before its flows were known is asked for again as it was', (_, testRun) => {
  const { folder: _folder, tokens: _tokens, ...request } = REQUEST
  expect(rerunOf(REQUEST, testRun)).toEqual({ ok: true, request })
})

test.each(['planning', 'running'] as const)('a run that is %s is not run again', state => {
  expect(namesOf(run(state, null, [flow('a', 'passed')]))).toMatch(/The run r1 has not ended/)
})

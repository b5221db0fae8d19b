import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as run from '../../../src/contracts/skills/skill-run.ts'
import { accept, complaints } from '../parse.ts'
import { failed, framed, indeterminate, unframed } from '../samples/skills.ts'

const omit = (value: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))

const cli = { status: 'success', ...framed }

describe.each([
  ['CLI framed success', run.SkillRunFramed, cli, ['status', 'skillResult', 'durationMs']],
  [
    'CLI unframed success',
    run.SkillRunUnframed,
    unframed,
    ['status', 'skillId', 'output', 'exitCode', 'durationMs', 'skillResult'],
  ],
  [
    'CLI indeterminate',
    run.SkillRunIndeterminate,
    indeterminate,
    ['status', 'code', 'message', 'skillResult', 'durationMs'],
  ],
  ['CLI failure', run.SkillRunFailed, { status: 'failed', ...failed }, ['status', 'code', 'message']],
  ['HTTP framed success', run.SkillRunFramedResponse, { ok: true, ...framed }, ['ok', 'skillResult', 'durationMs']],
  [
    'HTTP unframed success',
    run.SkillRunUnframedResponse,
    { ok: true, ...unframed },
    ['ok', 'status', 'skillId', 'output', 'skillResult', 'exitCode', 'durationMs'],
  ],
  [
    'HTTP indeterminate',
    run.SkillRunIndeterminateResponse,
    { ok: null, ...indeterminate },
    ['ok', 'status', 'code', 'message', 'skillResult', 'durationMs'],
  ],
  ['HTTP failure', run.SkillRunFailedResponse, { ok: false, error: failed }, ['ok', 'error']],
] as [string, v.GenericSchema, object, string[]][])('%s', (_, schema, sample, required) => {
  test('comes back as it is, and takes nothing more', () => {
    expect(accept(schema, sample)).toEqual(sample)
    expect(complaints(schema, { ...sample, extra: 1 })).toEqual(['extra'])
  })

  test.each(required)('needs %s', key => expect(complaints(schema, omit(sample, key))).toContain(key))

  test('needs nothing else', () => {
    const rest = Object.keys(sample).filter(key => !required.includes(key))
    expect(complaints(schema, omit(sample, ...rest))).toEqual([])
  })
})

test('a framed success has no skillId, output or exitCode at the top', () => {
  for (const key of ['skillId', 'output', 'exitCode']) {
    expect(complaints(run.SkillRunFramed, { ...cli, [key]: 'x' })).toEqual([key])
    expect(complaints(run.SkillRunFramedResponse, { ok: true, ...framed, [key]: 'x' })).toEqual([key])
    expect(complaints(run.SkillRunIndeterminateResponse, { ok: null, ...indeterminate, [key]: 'x' })).toEqual([key])
  }
  expect(complaints(run.SkillRunFramedResponse, { ok: true, ...cli })).toEqual(['status'])
})

test('a success exits with 0, and a framed one has a result', () => {
  expect(complaints(run.SkillRunUnframed, { ...unframed, exitCode: 1 })).toEqual(['exitCode'])
  expect(complaints(run.SkillRunFramed, { ...cli, skillResult: null })).toEqual(['skillResult'])
  expect(complaints(run.SkillRunFramedResponse, { ok: true, ...framed, skillResult: null })).toEqual(['skillResult'])
  expect(complaints(run.SkillRunFailed, { status: 'failed', ...failed, skillResult: null })).toEqual([])
})

test('stderr is left out when empty; codes sit in the nested error over HTTP', () => {
  expect(complaints(run.SkillRunFailed, { status: 'failed', ...failed, stderr: '' })).toEqual(['stderr'])
  expect(complaints(run.SkillRunFailedResponse, { ok: false, error: failed, code: 'X' })).toEqual(['code'])
  expect(complaints(run.SkillRunFailedResponse, { ok: false, error: { ...failed, status: 'failed' } })).toEqual([
    'error.status',
  ])
})

test('a run that was not proved may have left no result at all', () => {
  expect(complaints(run.SkillRunIndeterminate, { ...indeterminate, skillResult: null })).toEqual([])
  expect(complaints(run.SkillRunIndeterminateResponse, { ok: null, ...indeterminate, skillResult: null })).toEqual([])
})

test('an indeterminate run is neither true nor false', () => {
  for (const ok of [true, false])
    expect(complaints(run.SkillRunIndeterminateResponse, { ok, ...indeterminate })).toEqual(['ok'])
  expect(complaints(run.SkillRunIndeterminate, { ...indeterminate, code: 'OTHER' })).toEqual(['code'])
})

test('each sample is an outcome of its surface only', () => {
  const outcomes = [cli, unframed, indeterminate, { status: 'failed', ...failed }]
  const responses = [
    { ok: true, ...framed },
    { ok: true, ...unframed },
    { ok: null, ...indeterminate },
    { ok: false, error: failed },
  ]
  for (const outcome of outcomes) {
    expect(v.is(run.SkillRunOutcome, outcome)).toBe(true)
    expect(v.is(run.SkillRunResponse, outcome)).toBe(false)
  }
  for (const response of responses) {
    expect(v.is(run.SkillRunResponse, response)).toBe(true)
    expect(v.is(run.SkillRunOutcome, response)).toBe(false)
  }
})

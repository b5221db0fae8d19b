import { describe, expect, test } from 'vitest'
import { SkillResult, SkillResultFrame } from '../../../src/contracts/skills/skill-result.ts'
import { accept, complaints } from '../parse.ts'
import { checkpoint, frame, fullFrame } from '../samples/skills.ts'

const withValue = (key: string, value: unknown) => complaints(SkillResultFrame, { ...frame, [key]: value })

test('a frame with everything comes back as it is', () => {
  expect(accept(SkillResultFrame, fullFrame)).toEqual(fullFrame)
})

test.each(['contractVersion', 'skillId', 'result', 'status', 'checkpoints'])('%s is required', key => {
  const rest = Object.fromEntries(Object.entries(frame).filter(([name]) => name !== key))
  expect(complaints(SkillResultFrame, rest)).toEqual([key])
})

describe('source', () => {
  test.each([{ kind: 'script' }, { kind: 'agent', agentCli: 'codex' }, null, 'script', {}])(
    '%j is refused in a frame',
    source => {
      expect(withValue('source', source)).toEqual(['source'])
    },
  )

  test('is what the runner adds', () => {
    for (const source of [{ kind: 'script' }, { kind: 'agent', agentCli: 'codex' }]) {
      expect(accept(SkillResult, { ...frame, source }).source).toEqual(source)
    }
    expect(complaints(SkillResult, frame)).toEqual(['source'])
    expect(complaints(SkillResult, { ...frame, source: { kind: 'agent' } })).toEqual(['source.agentCli'])
    expect(complaints(SkillResult, { ...frame, source: { kind: 'human' } })).toEqual(['source.kind'])
  })
})

test('unknown keys are dropped, at every depth', () => {
  const noisy = {
    ...frame,
    extra: 1,
    result: { kind: 'text', text: 'a', extra: 1 },
    checkpoints: [{ ...checkpoint, extra: 1 }],
    terminalVerification: { status: 'verified', extra: 1 },
  }
  expect(accept(SkillResultFrame, noisy)).toEqual({
    ...frame,
    result: { kind: 'text', text: 'a' },
    checkpoints: [checkpoint],
    terminalVerification: { status: 'verified' },
  })
})

describe('contractVersion', () => {
  test.each(['1.0.0', '1.0.1', '1.7.0', '1.12.345'])('%s', version =>
    expect(withValue('contractVersion', version)).toEqual([]),
  )
  test.each(['2.0.0', '0.9.0', '1.0', '1', '1.0.0-beta', 'v1.0.0', '11.0.0', '', 1, null])('not %j', version => {
    expect(withValue('contractVersion', version)).toEqual(['contractVersion'])
  })
})

describe('result', () => {
  test.each([
    null,
    { kind: 'text', text: '' },
    { kind: 'json', value: null },
    { kind: 'json', value: [1] },
    { kind: 'result_envelope_ref', execEnvelopeIndex: 0 },
    { kind: 'result_envelope_ref', execEnvelopeIndex: 3, stepResultId: 'a' },
  ])('%j', result => {
    expect(accept(SkillResultFrame, { ...frame, result }).result).toEqual(result)
    const evidence = { ...checkpoint, evidence: result }
    const { checkpoints } = accept(SkillResultFrame, { ...frame, checkpoints: [evidence] })
    expect(checkpoints[0]?.evidence ?? null).toEqual(result)
  })

  test.each([
    'text',
    [],
    {},
    { kind: 'text' },
    { kind: 'text', text: 1 },
    { kind: 'json' },
    { kind: 'xml', text: 'a' },
    { kind: 'result_envelope_ref' },
    { kind: 'result_envelope_ref', execEnvelopeIndex: -1 },
    { kind: 'result_envelope_ref', execEnvelopeIndex: 0.5 },
  ])('not %j', result => {
    expect(withValue('result', result)[0]).toMatch(/^result/)
    expect(withValue('checkpoints', [{ ...checkpoint, evidence: result }])[0]).toMatch(/^checkpoints\.0\.evidence/)
  })
})

test('the domain status', () => {
  for (const status of ['success', 'failed', 'indeterminate']) expect(withValue('status', status)).toEqual([])
  for (const status of ['ok', 'skipped', '', null]) expect(withValue('status', status)).toEqual(['status'])
})

test('the status of a checkpoint', () => {
  for (const status of ['ok', 'failed', 'skipped']) expect(withValue('checkpoints', [{ id: 'a', status }])).toEqual([])
  for (const status of ['success', '', null]) {
    expect(withValue('checkpoints', [{ id: 'a', status }])).toEqual(['checkpoints.0.status'])
  }
  expect(withValue('checkpoints', {})).toEqual(['checkpoints'])
  expect(withValue('checkpoints', [{ status: 'ok' }])).toEqual(['checkpoints.0.id'])
})

test('terminalVerification is null, absent or one of three', () => {
  for (const status of ['verified', 'failed', 'not_run'])
    expect(withValue('terminalVerification', { status })).toEqual([])
  expect(withValue('terminalVerification', null)).toEqual([])
  for (const status of ['ok', 'success', null]) {
    expect(withValue('terminalVerification', { status })).toEqual(['terminalVerification.status'])
  }
  expect(withValue('terminalVerification', { status: 'verified', observed: '87%' })).toEqual([
    'terminalVerification.observed',
  ])
})

test('diagnostics keep what else they hold', () => {
  for (const runtimeState of ['healthy', 'poisoned', 'unavailable', 'unknown']) {
    const diagnostics = { runtimeState, warnings: [], hints: ['a'], seconds: 3 }
    expect(accept(SkillResultFrame, { ...frame, diagnostics }).diagnostics).toEqual(diagnostics)
  }
  expect(withValue('diagnostics', { runtimeState: 'fine' })).toEqual(['diagnostics.runtimeState'])
})

test('goal and inputs are objects', () => {
  for (const key of ['goal', 'inputs']) {
    expect(withValue(key, { any: [1] })).toEqual([])
    for (const value of [[], 'a']) expect(withValue(key, value)).toEqual([key])
  }
})

describe('null is the same as absent', () => {
  const reference = { kind: 'result_envelope_ref', execEnvelopeIndex: 0 }
  const sparse = {
    ...frame,
    result: null,
    checkpoints: [
      { id: 'a', status: 'ok' },
      { id: 'b', status: 'ok', evidence: reference },
    ],
    terminalVerification: { status: 'not_run' },
    diagnostics: { seen: null },
  }
  const nothing = { observedAt: null, note: null }
  const filled = {
    ...sparse,
    goal: null,
    inputs: null,
    execEnvelopes: null,
    checkpoints: [
      { id: 'a', status: 'ok', ...nothing, evidence: null },
      { id: 'b', status: 'ok', ...nothing, evidence: { ...reference, stepResultId: null } },
    ],
    terminalVerification: { status: 'not_run', expected: null, observed: null, note: null },
    diagnostics: { seen: null, runtimeState: null, warnings: null, hints: null },
  }

  test('for every optional field, at every depth; what is required and null stays', () => {
    expect(accept(SkillResultFrame, filled)).toEqual(sparse)
    expect(accept(SkillResultFrame, { ...frame, terminalVerification: null, diagnostics: null })).toEqual(frame)
  })

  test('in what the runner hands on, too', () => {
    const source = { kind: 'script' }
    expect(accept(SkillResult, { ...filled, source })).toEqual({ ...sparse, source })
    expect(complaints(SkillResult, { ...frame, source: null })).toEqual(['source'])
  })

  test.each(['skillId', 'status', 'checkpoints', 'contractVersion'])('but %s is required', key => {
    expect(withValue(key, null)).toEqual([key])
  })

  test('and an element of a list is not a field', () => {
    expect(withValue('diagnostics', { warnings: [null] })).toEqual(['diagnostics.warnings.0'])
    expect(withValue('checkpoints', [null])).toEqual(['checkpoints.0'])
  })
})

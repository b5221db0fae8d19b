import { describe, expect, test } from 'vitest'
import { parseSkillResult } from '../../../../src/service/skills/result/parse-result.ts'
import { frame, fullFrame } from '../../../contracts/samples/skills.ts'

const invoked = { skillId: frame.skillId, source: { kind: 'script' } } as const
const parse = (value: unknown) => parseSkillResult(typeof value === 'string' ? value : JSON.stringify(value), invoked)

describe('a valid result', () => {
  test.each([
    ['the least', frame],
    ['all there is', fullFrame],
  ])('%s, and the trusted source', (_name, value) => {
    expect(parse(value)).toEqual({ ok: true, result: { ...value, source: { kind: 'script' } } })
  })

  test('the source names the agent', () => {
    const source = { kind: 'agent', agentCli: 'codex' } as const
    expect(parseSkillResult(JSON.stringify(frame), { ...invoked, source })).toMatchObject({ result: { source } })
  })

  test('keys that nobody knows are dropped', () => {
    const more = { ...frame, surprise: 1, result: { kind: 'text', text: '87%', colour: 'red' } }
    expect(parse(more)).toEqual({ ok: true, result: { ...frame, source: { kind: 'script' } } })
  })

  test('a newer minor version, and no result', () => {
    expect(parse({ ...frame, contractVersion: '1.7.3', result: null })).toMatchObject({ ok: true })
  })

  test('a key that would be a prototype is not a prototype', () => {
    const parsed = parse(
      JSON.stringify({ ...frame, inputs: {} }).replace('"inputs":{}', '"inputs":{"__proto__":{"x":1}}'),
    )
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    expect(parsed.ok && Object.getPrototypeOf(parsed.result.inputs ?? {})).toBe(Object.prototype)
  })
})

describe('a malformed or untrusted one', () => {
  test.each([
    ['no JSON', '{"a":', 'not valid JSON'],
    ['words', 'done', 'not valid JSON'],
    ['JSON with more behind it', `${JSON.stringify(frame)} ok`, 'not valid JSON'],
    ['a mistake on a later line', '{\n"a": 1,\n"b": oops}', 'line 3, column 6'],
    ['a NUL inside', `{"a":"\0"}`, 'control character'],
    ['an array', [], 'not a valid SkillResult'],
    ['null', 'null', 'not a valid SkillResult'],
    ['a text', '"x"', 'not a valid SkillResult'],
    ['no status', { ...frame, status: undefined }, 'status'],
    ['another status', { ...frame, status: 'ok' }, 'status'],
    ['no checkpoints', { ...frame, checkpoints: undefined }, 'checkpoints'],
    ['another result', { ...frame, result: { kind: 'xml' } }, 'result.kind'],
    ['a major version of its own', { ...frame, contractVersion: '2.0.0' }, 'contractVersion'],
    ['the result of another skill', { ...frame, skillId: 'com.other.do' }, 'com.other.do'],
    ['its own source', { ...frame, source: { kind: 'script' } }, 'which only svc may set'],
    ['its own source, null', { ...frame, source: null }, 'which only svc may set'],
    ['15,000 levels', `{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}`, 'nested'],
  ])('%s', (_name, value, said) => {
    expect(parse(value)).toEqual({ ok: false, reason: expect.stringContaining(said) })
  })
})

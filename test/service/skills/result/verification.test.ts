import { describe, expect, test } from 'vitest'
import type { SkillContract } from '../../../../src/contracts/skills/skill-json.ts'
import type { SkillResult } from '../../../../src/contracts/skills/skill-result.ts'
import { readInputs, verifyClaim } from '../../../../src/service/skills/result/verification.ts'

const contract = (matcher = 'Level {level}', inputs: Record<string, string> = { level: 'integer' }): SkillContract => ({
  inputs,
  goal: null,
  verification: { kind: 'node_text_matches', matcher },
})

const observed = (text: string) => ({ status: 'verified', observed: { kind: 'text', text } }) as const

const result = (more: Partial<SkillResult> = {}): SkillResult => ({
  contractVersion: '1.0.0',
  skillId: 'a.b',
  result: null,
  status: 'success',
  checkpoints: [],
  inputs: { level: 22 },
  terminalVerification: observed('Level 22'),
  source: { kind: 'script' },
  ...more,
})

const verify = (skillResult: SkillResult | null, with_: SkillContract | undefined = contract(), args = ['22']) =>
  verifyClaim({ contract: with_, args, skillResult })

test('without a declared verification nothing is asked, not even of a failure', () => {
  for (const none of [undefined, { ...contract(), verification: null }]) {
    expect(verifyClaim({ contract: none, args: [], skillResult: result({ status: 'failed' }) })).toEqual({
      verdict: 'undeclared',
    })
  }
})

describe('proved', () => {
  test.each([
    ['exactly', 'Level 22'],
    ['with other white space', '  Level \n\t 22 '],
    ['with signs after it', 'Level 22°.'],
    ['with a sign apart', 'Level 22 %'],
  ])('%s', (_name, text) =>
    expect(verify(result({ terminalVerification: observed(text) }))).toEqual({ verdict: 'proved' }),
  )

  test('with nothing to put in', () => {
    expect(verify(result({ inputs: {}, terminalVerification: observed('On') }), contract('On', {}), [])).toEqual({
      verdict: 'proved',
    })
    const { inputs: _, ...without } = result({ terminalVerification: observed('On') })
    expect(verify(without, contract('On', {}), [])).toEqual({ verdict: 'proved' })
  })

  test('a value that looks like a placeholder is not expanded again', () => {
    const two = contract('{a} {b}', { a: 'string', b: 'string' })
    const skillResult = result({ inputs: { a: '{b}', b: 'x' }, terminalVerification: observed('{b} x') })
    expect(verify(skillResult, two, ['{b}', 'x'])).toEqual({ verdict: 'proved' })
  })

  test('composed and decomposed letters are the same text', () => {
    const said = contract('{w}', { w: 'string' })
    const skillResult = result({ inputs: { w: 'cafe\u0301' }, terminalVerification: observed('caf\u00e9') })
    expect(verify(skillResult, said, ['cafe\u0301'])).toEqual({ verdict: 'proved' })
  })
})

describe('not proved', () => {
  test.each<[string, SkillResult | null, SkillContract, string[], string]>([
    ['no frame', null, contract(), ['22'], 'without a result'],
    ['the skill is in doubt', result({ status: 'indeterminate' }), contract(), ['22'], 'indeterminate'],
    ['no input of the caller', result(), contract(), [], 'no value for level'],
    ['an ill-typed input', result(), contract(), ['x'], 'integer'],
    ['other inputs', result({ inputs: { level: 23 } }), contract(), ['22'], 'inputs'],
    ['inputs as text', result({ inputs: { level: '22' } }), contract(), ['22'], 'inputs'],
    ['more inputs', result({ inputs: { level: 22, more: 1 } }), contract(), ['22'], 'inputs'],
    ['no verification', result({ terminalVerification: null }), contract(), ['22'], 'missing'],
    ['a failed one', result({ terminalVerification: { status: 'failed' } }), contract(), ['22'], 'failed'],
    ['one not run', result({ terminalVerification: { status: 'not_run' } }), contract(), ['22'], 'not_run'],
    [
      'nothing observed',
      result({ terminalVerification: { status: 'verified' } }),
      contract(),
      ['22'],
      'is not of kind text',
    ],
    [
      'JSON observed',
      result({ terminalVerification: { status: 'verified', observed: { kind: 'json', value: 'Level 22' } } }),
      contract(),
      ['22'],
      'is not of kind text',
    ],
    ['another text', result({ terminalVerification: observed('Level 21') }), contract(), ['22'], 'Level 21'],
    ['a longer number', result({ terminalVerification: observed('Level 221') }), contract(), ['22'], 'Level 221'],
    ['a fraction', result({ terminalVerification: observed('Level 22.5') }), contract(), ['22'], '22.5'],
    ['a unit', result({ terminalVerification: observed('Level 22 °C') }), contract(), ['22'], '°C'],
    ['text before it', result({ terminalVerification: observed('My Level 22') }), contract(), ['22'], 'My'],
    ['another case', result({ terminalVerification: observed('level 22') }), contract(), ['22'], 'level'],
    ['a matcher that names no input', result(), contract('Level {levl}'), ['22'], 'an input that is not declared'],
    ['a matcher that says nothing', result({ terminalVerification: observed('...') }), contract(' '), ['22'], '...'],
  ])('%s', (_name, skillResult, with_, args, said) => {
    expect(verify(skillResult, with_, args)).toEqual({ verdict: 'unproved', reason: expect.stringContaining(said) })
  })
})

test('a failure that the skill reports itself', () => {
  expect(verify(result({ status: 'failed' }))).toEqual({ verdict: 'domain-failed' })
  expect(verify(result({ status: 'failed' }), contract(), [])).toEqual({ verdict: 'domain-failed' })
})

const declared = { unit: 'string', targetLevel: 'integer[0,100]' }

describe('inputs of the caller', () => {
  test.each([
    ['by flag', ['--unit', 'C', '--target-level', '22']],
    ['by flag and =', ['--unit=C', '--target-level=22']],
    ['the last one wins', ['--unit=F', '--target-level', '7', '--unit', 'C', '--target-level=22']],
    ['as trailing positionals, in the order of their names', ['22', 'C']],
    ['after other positionals', ['emulator-5554', '22', 'C']],
    ['some by flag, the rest by position', ['--unit', 'C', '22']],
    ['around flags that nobody declared', ['--fast', '22', '--unit=C']],
    ['literally after --', ['--target-level=22', '--', 'C']],
    ['after a flag without a value', ['22', 'C', '--unit']],
  ])('%s', (_name, args) => {
    expect(readInputs(declared, args)).toEqual({ ok: true, inputs: { unit: 'C', targetLevel: 22 } })
  })

  test.each([
    ['targetLevel', '--target-level'],
    ['target_level', '--target-level'],
    ['target-level', '--target-level'],
    ['level2Max', '--level2-max'],
    ['level', '--level'],
  ])('the flag of %s is %s', (name, flag) => {
    // After a space, a flag that nobody knows would leave its value as a positional, which counts, too.
    expect(readInputs({ [name]: 'string' }, [`${flag}=x`])).toEqual({ ok: true, inputs: { [name]: 'x' } })
  })

  test('values that look like flags come after =', () => {
    expect(readInputs({ word: 'string' }, ['--word=--x=y'])).toEqual({ ok: true, inputs: { word: '--x=y' } })
    expect(readInputs({ word: 'string' }, ['--word', '--x'])).toMatchObject({ ok: false })
    expect(readInputs({ level: 'integer' }, ['--level', '-5'])).toEqual({ ok: true, inputs: { level: -5 } })
    expect(readInputs({ level: 'integer' }, ['-5'])).toEqual({ ok: true, inputs: { level: -5 } })
  })

  test.each([0, 100])('a range holds both of its ends: %d', level => {
    const read = readInputs(declared, ['--unit=C', `--target-level=${level}`])
    expect(read).toEqual({ ok: true, inputs: { unit: 'C', targetLevel: level } })
  })

  test('nothing declared, nothing read', () => {
    expect(readInputs({}, ['a', '--b', 'c'])).toEqual({ ok: true, inputs: {} })
  })

  test('an input may be called like a prototype', () => {
    const read = readInputs(JSON.parse('{"__proto__":"string"}'), ['x'])
    expect(read.ok && Object.entries(read.inputs)).toEqual([['__proto__', 'x']])
    expect(read.ok && Object.getPrototypeOf(read.inputs)).toBe(Object.prototype)
  })
})

describe('inputs that are missing or of another type', () => {
  test.each([
    ['no value', [], 'targetLevel, unit'],
    ['one value for two', ['22'], 'targetLevel, unit'],
    ['a word for an integer', ['--target-level', 'warm', '--unit', 'C'], 'integer[0,100]'],
    ['a fraction', ['--target-level', '22.5', '--unit', 'C'], '22.5'],
    ['an empty text for an integer', ['--target-level=', '--unit', 'C'], '""'],
    ['hexadecimal', ['--target-level=0x10', '--unit', 'C'], '0x10'],
    ['greater than the maximum', ['--target-level=101', '--unit', 'C'], '101'],
    ['under the minimum', ['--target-level=-1', '--unit', 'C'], '-1'],
  ])('%s', (_name, args, said) => {
    expect(readInputs(declared, args)).toEqual({ ok: false, reason: expect.stringContaining(said) })
  })

  test('an integer that JSON cannot hold exactly', () => {
    expect(readInputs({ n: 'integer' }, ['9007199254740993'])).toMatchObject({ ok: false })
  })
})

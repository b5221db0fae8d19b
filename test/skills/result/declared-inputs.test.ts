import { describe, expect, test } from 'vitest'
import { readInputs } from '../../../src/skills/result/declared-inputs.ts'

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
    expect(readInputs({ [name]: 'string' }, [flag, 'x'])).toEqual({ ok: true, inputs: { [name]: 'x' } })
  })

  test('values that look like flags come after =', () => {
    expect(readInputs({ word: 'string' }, ['--word=--x=y'])).toEqual({ ok: true, inputs: { word: '--x=y' } })
    expect(readInputs({ word: 'string' }, ['--word', '--x'])).toMatchObject({ ok: false })
    expect(readInputs({ level: 'integer' }, ['--level', '-5'])).toEqual({ ok: true, inputs: { level: -5 } })
    expect(readInputs({ level: 'integer' }, ['-5'])).toEqual({ ok: true, inputs: { level: -5 } })
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

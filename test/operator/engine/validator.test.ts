import { describe, expect, test } from 'vitest'
import { matchPattern } from '../../../src/operator/engine/pattern.ts'
import { VALIDATED_CHARS_MAX, type Validator, validate as validateBy } from '../../../src/operator/engine/validator.ts'

const validate = (validator: Validator, pattern: string, texts: string[]) =>
  validateBy({ validator, pattern, texts }, async task => matchPattern(task))
const fits = async (validator: 'temperature' | 'version', text: string) => (await validate(validator, '', [text])).ok

describe('temperature', () => {
  test.each(['72°', '72°F', ' -3,5 °C ', '−12 °', '21.25℃', '98.6 F', '300K', '21 degrees', '+4°c'])(
    '%s',
    async text => {
      expect(await fits('temperature', text)).toBe(true)
    },
  )

  test.each(['72', '', '°F', 'hot', '72°X', '1.2.3°', '12345°', 'now 72°F', '7 2°'])('not %s', async text => {
    expect(await fits('temperature', text)).toBe(false)
  })
})

describe('version', () => {
  test.each(['15', '1.2', '1.2.3.RELEASE', '1.2.3-beta.1', 'v2.0', 'Version 10.1 (build 7)', 'ver. 3', ' 4.0+exp '])(
    '%s',
    async text => {
      expect(await fits('version', text)).toBe(true)
    },
  )

  test.each(['', 'v', 'Android', '1.', '.1', '1..2', '1.2.', 'vv1', `1-${'x'.repeat(65)}`])('not %s', async text => {
    expect(await fits('version', text)).toBe(false)
  })
})

describe('regex', () => {
  test.each([
    ['b+', 'abbc', true],
    ['^b', 'abbc', false],
    ['^\\p{L}$', 'x', false],
    ['', '', true],
    ['\n', 'a\nb', true],
  ])('%s in %s: %s', async (pattern, text, ok) => {
    expect((await validate('regex', pattern, [text])).ok).toBe(ok)
  })

  test('names the first text that does not match', async () => {
    expect(await validate('regex', '^a', ['ab', 'ba', 'bb'])).toEqual({
      ok: false,
      problem: 'the text "ba" does not match ^a',
    })
  })

  test.each([
    ['(a+)+$', `${'a'.repeat(60)}b`],
    ['(a|a)*$', `${'a'.repeat(60)}b`],
    ['(.*)*x', 'y'.repeat(10_000)],
  ])('%s cannot hang the process', async (pattern, text) => {
    expect(await validate('regex', pattern, [text])).toEqual({
      ok: false,
      problem: `matching ${pattern} took longer than 500 ms`,
    })
  })

  test('one that does not compile fails its text, not the process', async () => {
    expect(await validate('regex', '(', ['a'])).toEqual({ ok: false, problem: '( is not a valid regular expression' })
  })
})

test.each(['temperature', 'version', 'regex'] as const)('%s reads no text of any length', async validator => {
  expect(await validate(validator, 'x', ['x'.repeat(VALIDATED_CHARS_MAX + 1)])).toMatchObject({
    ok: false,
    problem: expect.stringContaining('10001 characters'),
  })
})

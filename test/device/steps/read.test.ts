import { describe, expect, test } from 'vitest'
import { type MatchPattern, matchPattern } from '../../../src/device/screen/patterns/pattern.ts'
import { VALIDATED_CHARS_MAX, type Validator, validate as validateBy } from '../../../src/device/steps/read.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

const TEXT = 'android.widget.TextView'
const tree = () =>
  screen(
    node({ text: 'outside', className: TEXT }),
    node({
      resourceId: 'card',
      className: TEXT,
      text: 'card',
      children: [
        node({ text: '72°F', className: TEXT }),
        node({ contentDesc: 'v1.2', className: TEXT }),
        node({ className: TEXT, resourceId: 'blank' }),
      ],
    }),
  )
const read = (params: object, ui: object = {}) =>
  act({ type: 'read_text', params } as Parameters<typeof act>[0] & object, { ui: { tree, ...ui } })

describe('read_text', () => {
  test.each([
    { params: { matcher: { role: 'text' } }, text: 'outside', count: '1' },
    { params: { matcher: { textContains: 'V1' } }, text: 'v1.2', count: '1' },
    { params: { matcher: { resourceId: 'blank' } }, text: '', count: '1' },
    { params: { matcher: { role: 'text' }, all: true }, text: '["outside","card","72°F","v1.2",""]', count: '5' },
    { params: { matcher: { role: 'text' }, container: { resourceId: 'card' } }, text: '72°F', count: '1' },
    {
      params: { matcher: { role: 'text' }, container: { resourceId: 'card' }, all: true },
      text: '["72°F","v1.2",""]',
      count: '3',
    },
  ])('$params gives $text', async ({ params, text, count }) => {
    expect((await read(params)).data).toEqual({ text, count })
  })

  test('of an empty field that shows its hint gives no text', async () => {
    const field = node({ text: 'Your name', hint: 'Your name', className: 'android.widget.EditText' })
    const { data } = await read({ matcher: { textEquals: 'Your name' } }, { tree: () => screen(field) })
    expect(data).toEqual({ text: '', count: '1' })
  })

  test.each([
    [{ matcher: { textEquals: 'nothing' } }, 'textEquals=nothing'],
    [{ matcher: { textEquals: 'nothing' }, all: true }, 'textEquals=nothing'],
    [{ matcher: { textEquals: 'outside' }, container: { resourceId: 'card' } }, 'textEquals=outside'],
    [{ matcher: { textEquals: '72°F' }, container: { resourceId: 'cards' } }, 'resourceId=cards'],
  ])('%o is missing', async (params, named) => {
    expect((await read(params)).data).toEqual({
      error: 'NODE_NOT_FOUND',
      message: `No UI node found matching criteria ${named}`,
    })
  })

  test.each([
    { textEquals: '72°F', validator: 'temperature', fits: true },
    { textEquals: 'v1.2', validator: 'temperature', fits: false },
    { textEquals: 'v1.2', validator: 'version', fits: true },
    { textEquals: '72°F', validator: 'version', fits: false },
    { textEquals: '72°F', validator: 'regex', validatorPattern: '^\\d+', fits: true },
    { textEquals: '72°F', validator: 'regex', validatorPattern: '^F', fits: false },
  ])('$textEquals as $validator $validatorPattern: $fits', async ({ textEquals, fits, ...more }) => {
    const { data } = await read({ matcher: { textEquals }, ...more })
    expect(data.error).toBe(fits ? undefined : 'VALIDATOR_MISMATCH')
  })

  test('a pattern is matched where the run says, and for no longer than the execution has', async () => {
    const asked: unknown[] = []
    const matchPattern: MatchPattern = async (task, { leftMs }) => {
      asked.push([task, leftMs])
      return `${task.pattern} was not matched`
    }
    const params = { matcher: { textEquals: '72°F' }, validator: 'regex' as const, validatorPattern: '7+' }
    const options = { matchPattern, ui: { tree } }
    const { data } = await act({ type: 'read_text', params }, options)
    expect(data).toMatchObject({ error: 'VALIDATOR_MISMATCH', message: '7+ was not matched' })
    expect(asked).toEqual([[{ pattern: '7+', texts: ['72°F'] }, Number.POSITIVE_INFINITY]])
  })

  test('all texts must fit', async () => {
    const params = { matcher: { role: 'text' }, container: { resourceId: 'card' }, all: true, validator: 'temperature' }
    const { data } = await read(params)
    expect(data).toEqual({ error: 'VALIDATOR_MISMATCH', message: 'the text "v1.2" is not a temperature' })
  })

  test('a retry waits for a text that fits', async () => {
    let looks = 0
    const changing = () => screen(node({ resourceId: 'temp', text: ++looks < 3 ? '--' : '21 °C' }))
    const params = { matcher: { resourceId: 'temp' }, validator: 'temperature', retry: { maxAttempts: 4 } }
    const { data } = await read(params, { tree: changing })
    expect(data).toEqual({ text: '21 °C', count: '1' })
    expect(looks).toBe(3)
  })
})

describe('read_key_value_pair', () => {
  const row = (label: string, value: string | undefined, top: number) =>
    node({
      clickable: true,
      at: [0, top, 400, top + 100],
      children: [
        node({ className: TEXT, text: label, at: [0, top, 200, top + 50] }),
        ...(value === undefined ? [] : [node({ text: value, at: [0, top + 50, 200, top + 100] })]),
      ],
    })
  const rows = () => screen(row('Model', 'Svc Sim', 0), row('Empty', undefined, 100), row('Modem', '5G', 200))
  const pair = (params: object) =>
    act({ type: 'read_key_value_pair', params } as Parameters<typeof act>[0] & object, { ui: { tree: rows } })

  test.each([
    [{ labelMatcher: { textEquals: 'Model' } }, { label: 'Model', value: 'Svc Sim' }],
    [{ labelMatcher: { textContains: 'mode' } }, { label: 'Model', value: 'Svc Sim' }],
    [
      { labelMatcher: { textContains: 'e', role: 'text' }, all: true },
      { label: '["Model","Modem"]', value: '["Svc Sim","5G"]' },
    ],
  ])('%o', async (params, data) => {
    expect((await pair(params)).data).toEqual(data)
  })

  test('a label without value', async () => {
    expect((await pair({ labelMatcher: { textEquals: 'Empty' } })).data).toEqual({
      error: 'VALUE_NODE_NOT_FOUND',
      message: 'the label that matches textEquals=Empty has no value',
    })
  })

  test('no label', async () => {
    expect((await pair({ labelMatcher: { textEquals: 'Nothing' } })).data).toMatchObject({ error: 'NODE_NOT_FOUND' })
  })
})

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

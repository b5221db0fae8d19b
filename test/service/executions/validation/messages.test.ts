import { describe, expect, test } from 'vitest'
import { around, clicking } from '../payloads.ts'
import { refusal } from '../refusals.ts'

const matcher = { textEquals: 'OK' }
const step = (type: unknown, params?: unknown) => ({ id: 'open-it', type, ...(params === undefined ? {} : { params }) })
const without = (key: string) => Object.fromEntries(Object.entries(around(step('snapshot'))).filter(([k]) => k !== key))

const CASES: [name: string, input: unknown, message: string, details: object][] = [
  ['no payload', undefined, 'execution is missing', { path: 'execution' }],
  ['null', null, 'execution must be an object, but is null', { path: 'execution' }],
  ['a list', [], 'execution must be an object, but is an empty list', { path: 'execution' }],
  ['a missing key', without('taskId'), 'taskId is missing', { path: 'taskId' }],
  [
    'an unknown key',
    { ...around(step('snapshot')), deviceId: 'a', nonce: 'b' },
    'execution has unknown keys: "deviceId", "nonce"',
    { path: 'execution', invalidKeys: ['deviceId', 'nonce'] },
  ],
  [
    'a misspelt key',
    { ...without('timeoutMs'), timeout: 1_000 },
    'execution has an unknown key: "timeout"',
    { path: 'execution', invalidKeys: ['timeout'] },
  ],
  [
    'a number too small',
    { ...around(), timeoutMs: 5 },
    'timeoutMs must be at least 1000, but is 5',
    { path: 'timeoutMs' },
  ],
  [
    'a number too large',
    { ...around(), timeoutMs: 1e6 },
    'timeoutMs must be at most 120000, but is 1000000',
    { path: 'timeoutMs' },
  ],
  [
    'a fraction',
    { ...around(), timeoutMs: 1_000.5 },
    'timeoutMs must be an integer, but is 1000.5',
    { path: 'timeoutMs' },
  ],
  [
    'more than a number can hold',
    { ...around(), timeoutMs: JSON.parse('1e309') },
    'timeoutMs must be an integer, but is not a finite number',
    { path: 'timeoutMs' },
  ],
  ['a quoted number', { ...around(), timeoutMs: '9' }, 'timeoutMs must be a number, but is "9"', { path: 'timeoutMs' }],
  [
    'another format',
    { ...around(), expectedFormat: 'xml' },
    'expectedFormat must be "android-ui-automator", but is "xml"',
    { path: 'expectedFormat' },
  ],
  [
    'a pattern that cannot be read',
    clicking({ matcher: { textMatches: 'ab(c' } }),
    'actions[0] ("open-it", click): params.matcher.textMatches must be a regular expression: at position 2, the parenthesis ( is not closed',
    { path: 'actions.0.params.matcher.textMatches', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'a relation within a relation',
    clicking({ matcher: { below: { textEquals: 'a', above: { textEquals: 'b' } } } }),
    'actions[0] ("open-it", click): params.matcher.below has an unknown key: "above"',
    { path: 'actions.0.params.matcher.below', actionId: 'open-it', actionType: 'click', invalidKeys: ['above'] },
  ],
  [
    'an index alone',
    clicking({ matcher: { index: 1 } }),
    'actions[0] ("open-it", click): params.matcher: index chooses among the nodes that other keys match: one of these is needed',
    { path: 'actions.0.params.matcher', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'an index of all',
    around(step('read_text', { matcher: { role: 'text', index: 0 }, all: true })),
    'actions[0] ("open-it", read_text): params.all: index names one node, and all asks for every one: only one of them can be given',
    { path: 'actions.0.params.all', actionId: 'open-it', actionType: 'read_text' },
  ],
  ['no actions', around(), 'actions must not be empty', { path: 'actions' }],
  [
    'too many actions',
    around(...Array(51).fill(step('snapshot'))),
    'actions must have at most 50 items, but has 51',
    { path: 'actions' },
  ],
  ['no action', around(null), 'actions[0] must be an object, but is null', { path: 'actions.0' }],
  ['a list for an action', around([]), 'actions[0] must be an object, but is an empty list', { path: 'actions.0' }],
  ['no type', around({ id: 'a' }), 'actions[0] ("a"): type is missing', { path: 'actions.0.type', actionId: 'a' }],
  [
    'an unknown type',
    around(step('snapshot'), step('clik')),
    'actions[1] ("open-it", clik): type "clik" is not a known action type',
    { path: 'actions.1.type', actionId: 'open-it', actionType: 'clik' },
  ],
  [
    'no params',
    around(step('tap')),
    'actions[0] ("open-it", click): params is missing',
    { path: 'actions.0.params', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'neither of two',
    around(step('snapshot'), step('snapshot'), step('click', {})),
    'actions[2] ("open-it", click): params: exactly one of matcher and coordinate is needed, or a point in percent',
    { path: 'actions.2.params', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'an empty matcher',
    clicking({ matcher: {} }),
    'actions[0] ("open-it", click): params.matcher: a matcher needs at least one key',
    { path: 'actions.0.params.matcher', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'an empty text',
    clicking({ matcher: { textEquals: '' } }),
    'actions[0] ("open-it", click): params.matcher.textEquals must not be empty',
    { path: 'actions.0.params.matcher.textEquals', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'a long text',
    clicking({ matcher: { role: 'x'.repeat(600) } }),
    'actions[0] ("open-it", click): params.matcher.role must have at most 512 characters, but has 600',
    { path: 'actions.0.params.matcher.role', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'unknown keys inside',
    clicking({ matcher: { label: 'OK', nth: 1 } }),
    'actions[0] ("open-it", click): params.matcher has unknown keys: "label", "nth"',
    { path: 'actions.0.params.matcher', actionId: 'open-it', actionType: 'click', invalidKeys: ['label', 'nth'] },
  ],
  [
    'focus on a point',
    clicking({ coordinate: { x: 1, y: 1 }, clickType: 'focus' }),
    'actions[0] ("open-it", click): params.clickType: focus needs a matcher alone: a point has nothing to focus',
    { path: 'actions.0.params.clickType', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'a missing half',
    clicking({ coordinate: { x: 1 } }),
    'actions[0] ("open-it", click): params.coordinate.y is missing',
    { path: 'actions.0.params.coordinate.y', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'a point beyond all screens',
    clicking({ coordinate: { x: 1, y: 2 ** 53 } }),
    'actions[0] ("open-it", click): params.coordinate.y must be at most 9007199254740991, but is 9007199254740992',
    { path: 'actions.0.params.coordinate.y', actionId: 'open-it', actionType: 'click' },
  ],
  [
    'NUL',
    around({ id: 'a', type: 'open_uri', params: { uri: 'ü\0' } }),
    'actions[0] ("a", open_uri): params.uri must not contain NUL (U+0000) at character 2',
    { path: 'actions.0.params.uri', actionId: 'a', actionType: 'open_uri' },
  ],
  [
    'a lone surrogate',
    around({ id: 'a', type: 'open_uri', params: { uri: '😀\ud83d' } }),
    'actions[0] ("a", open_uri): params.uri must not contain a lone surrogate (U+D83D) at character 2',
    { path: 'actions.0.params.uri', actionId: 'a', actionType: 'open_uri' },
  ],
  [
    'a blank text',
    around({ id: 'a', type: 'take_screenshot', params: { path: ' \t' } }),
    'actions[0] ("a", take_screenshot): params.path must not be blank',
    { path: 'actions.0.params.path', actionId: 'a', actionType: 'take_screenshot' },
  ],
  [
    'a control character',
    around({ id: 'a', type: 'set_on_screen_log', params: { text: 'a\r' } }),
    'actions[0] ("a", set_on_screen_log): params.text must not contain the control character U+000D at character 2',
    { path: 'actions.0.params.text', actionId: 'a', actionType: 'set_on_screen_log' },
  ],
  [
    'a control character of the second block, behind a tab and a line feed that are allowed',
    around({ id: 'a', type: 'set_on_screen_log', params: { text: 'a\t\n\u0085' } }),
    'actions[0] ("a", set_on_screen_log): params.text must not contain the control character U+0085 at character 4',
    { path: 'actions.0.params.text', actionId: 'a', actionType: 'set_on_screen_log' },
  ],
  [
    'a colour by name',
    around({ id: 'a', type: 'set_on_screen_log', params: { text: 'a', textColor: 'red' } }),
    'actions[0] ("a", set_on_screen_log): params.textColor must be a colour as #RRGGBB or #AARRGGBB',
    { path: 'actions.0.params.textColor', actionId: 'a', actionType: 'set_on_screen_log' },
  ],
  [
    'a pattern that does not compile',
    around(step('read_text', { matcher, validator: 'regex', validatorPattern: '(' })),
    'actions[0] ("open-it", read_text): params.validatorPattern must be a valid regular expression',
    { path: 'actions.0.params.validatorPattern', actionId: 'open-it', actionType: 'read_text' },
  ],
  [
    'no pattern',
    around(step('read_text', { matcher, validator: 'regex' })),
    'actions[0] ("open-it", read_text): params.validatorPattern: the validator regex needs a validatorPattern',
    { path: 'actions.0.params.validatorPattern', actionId: 'open-it', actionType: 'read_text' },
  ],
  [
    'a key that is none',
    around(step('press_key', { key: 'up' })),
    'actions[0] ("open-it", press_key): params.key must be a key of Android, but is "up"',
    { path: 'actions.0.params.key', actionId: 'open-it', actionType: 'press_key' },
  ],
  [
    'a format for a snapshot',
    around(step('snapshot', { format: 'xml' })),
    'actions[0] ("open-it", snapshot): params has an unknown key: "format"',
    { path: 'actions.0.params', actionId: 'open-it', actionType: 'snapshot', invalidKeys: ['format'] },
  ],
]

test.each(CASES)('%s', (_, input, message, details) => {
  const error = refusal(input)
  expect(error).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED', message, retriable: false })
  const { problems, ...rest } = error.details ?? {}
  expect(rest).toEqual(details)
  expect((problems as unknown[])[0]).toEqual({ path: rest.path, message })
})

describe('several problems', () => {
  const problemsOf = (input: unknown) => refusal(input).details?.problems

  test('are all named, the first is the message', () => {
    const input = {
      ...around(step('click', { matcher: { textEquals: 7 }, clickType: 'double' }), step('bogus')),
      timeoutMs: 5,
    }
    const { message, details } = refusal(input)
    expect(details).toMatchObject({ path: 'timeoutMs' })
    expect(details?.problems).toEqual([
      { path: 'timeoutMs', message },
      { path: 'actions.0.params.matcher.textEquals', message: expect.stringContaining('must be text') },
      { path: 'actions.0.params.clickType', message: expect.stringContaining('"double"') },
      { path: 'actions.1.type', message: expect.stringContaining('"bogus"') },
    ])
  })

  test('a rule about several params is checked beside another wrong param', () => {
    const params = { matcher: { textEquals: 'OK' }, coordinate: { x: 1, y: 1 }, clickType: 7 }
    expect(problemsOf(around(step('click', params)))).toMatchObject([
      { path: 'actions.0.params.clickType' },
      { path: 'actions.0.params', message: expect.stringContaining('exactly one of matcher and coordinate') },
    ])
  })

  test('a misspelt key is one problem, a key that is missing beside it another', () => {
    expect(problemsOf(around(step('enter_text', { mather: { textEquals: 'a' } })))).toMatchObject([
      { path: 'actions.0.params', message: expect.stringContaining('unknown key: "mather"') },
      { path: 'actions.0.params.text', message: expect.stringContaining('is missing') },
    ])
  })

  test('beyond fifty are counted', () => {
    const { details } = refusal(around(...Array.from({ length: 70 }, () => step('bogus'))))
    expect(details?.problems).toHaveLength(50)
    expect(details?.problemsOmitted).toBe(20)
  })
})

test.each([
  ['click', 'clickType', 'press'],
  ['click', 'clickType', 'ick'],
  ['scroll', 'direction', 'own'],
])('a value of %s that is only part of another is not a typing mistake: %s %s', (type, key, value) => {
  const error = refusal(
    around(step(type, { ...(type === 'click' ? { matcher: { textEquals: 'a' } } : {}), [key]: value })),
  )
  expect(error.hint).not.toContain('Did you mean long')
})

import { expect, test } from 'vitest'
import { around, clicking } from '../payloads.ts'
import { refusal } from '../refusals.ts'

const matcher = { textEquals: 'OK' }
const step = (type: unknown, params?: unknown) => ({ id: 'open-it', type, ...(params === undefined ? {} : { params }) })
const without = (key: string) => Object.fromEntries(Object.entries(around(step('snapshot'))).filter(([k]) => k !== key))

test.each([
  ['missing', without('timeoutMs'), 'Add timeoutMs: an integer from 1000 to 120000.'],
  ['range', { ...around(), timeoutMs: 1 }, 'timeoutMs is an integer from 1000 to 120000.'],
  ['quotes around a number', { ...around(), timeoutMs: '30000' }, 'Write it without quotes: 30000.'],
  [
    'quotes around a boolean',
    around(step('enter_text', { matcher, text: 'a', clear: 'true' })),
    'Write it without quotes: true.',
  ],
  ['unknown key', { ...without('timeoutMs'), timeOut: 1 }, 'Did you mean timeoutMs instead of "timeOut"?'],
  ['fragment of a key', clicking({ matcher: { desc: 'x' } }), 'Did you mean contentDescEquals instead of "desc"?'],
  [
    'half of an orientation',
    around(step('change_setting', { setting: 'orientation', value: 'landscape' })),
    'landscape is landscape_left here.',
  ],
  ['wrong level', around({ ...step('click'), matcher }), '"matcher" belongs inside params.'],
  ['wrong level in params', clicking({ textEquals: 'a' }), '"textEquals" belongs inside matcher.'],
  [
    'known keys',
    clicking({ bogus: 1 }),
    'Known here: matcher, coordinate, point, clickType, holdMs, repeat, repeatDelayMs, retry, scrollRetry, clickRetry.',
  ],
  ['no keys', around(step('snapshot', { format: 'xml' })), 'No keys are allowed here.'],
  ['type', around(step('opne_app')), 'Did you mean open_app? Types: open_app, open_uri,'],
  ['alias of a type', around(step('screenshoot')), 'Did you mean screenshot?'],
  [
    'a point in pixels',
    around(step('swipe', { start: { x: -1, y: 2 }, end: { x: 3, y: 4 } })),
    'x is an integer of at least 0.',
  ],
  [
    'a point in percent',
    around(step('swipe', { start: { x: 101, y: 2, unit: 'percent' }, end: { x: 3, y: 4 } })),
    'x is a number from 0 to 100.',
  ],
  [
    'a point that is none',
    around(step('swipe', { start: 7, end: { x: 3, y: 4 } })),
    'start is an object with x, y, unit?.',
  ],
  [
    'a point with an unknown unit',
    around(step('click', { matcher, point: { x: 1, y: 1, unit: 'em' } })),
    'Allowed: "percent", "pixel".',
  ],
  [
    'a point without a unit',
    around(step('click', { matcher, point: { x: 1, y: 1 } })),
    'Add unit: one of "percent", "pixel".',
  ],
  [
    'keys of a battery',
    around(step('change_setting', { setting: 'battery', value: { level: 5, plug: 'ac' } })),
    'battery {"level": 15, "plugged": "ac"}',
  ],
  ['a text without quotes', clicking({ matcher: { textEquals: 5 } }), 'Write it in quotes: "5".'],
  ['a list for a text', clicking({ matcher: { textEquals: ['OK'] } }), 'textEquals is text of 1 to 512 characters.'],
  ['no text for a key', around(step('press_key', { key: '' })), 'Keys: back, home,'],
  [
    'choice',
    around(step('scroll', { direction: 'dwon' })),
    'Did you mean down? Allowed: "down", "up", "left", "right".',
  ],
  [
    'default',
    around(
      step('sleep', { durationMs: 0 }),
      step('swipe', { start: { x: 0, y: 0 }, end: { x: 0, y: 0 }, durationMs: 0 }),
    ),
    'durationMs is an integer from 1 to 10000. It may be left out, which means 300.',
  ],
  [
    'the execution itself',
    [],
    'An execution is an object with commandId, taskId, source, expectedFormat, timeoutMs, actions, mode?.',
  ],
  ['an action', around(null), 'An action is an object with id, type and the params of that type.'],
  ['optional keys', clicking({ matcher, retry: 5 }), 'retry is an object with maxAttempts?, initialDelayMs?,'],
  ['required keys', clicking({ coordinate: 7 }), 'coordinate is an object with x, y.'],
  [
    'a number that need not be whole',
    around(step('pinch', { matcher, scale: 0 })),
    'scale is a number from 0.1 to 10.',
  ],
  ['a whole number', around(step('scroll_until', { matcher, maxScrolls: 0 })), 'maxScrolls is an integer from 1 to'],
  ['one end of a range', clicking({ coordinate: { x: -1, y: 1 } }), 'x is an integer of at least 0.'],
  ['a list', around(step('add_media', { paths: 7 })), 'paths is a list of 1 to 50 items.'],
  ['an entry of a list', around(step('add_media', { paths: ['a', 7] })), 'paths[1] is text of 1 to 4096 characters.'],
  [
    'names of your choice',
    around(step('open_app', { applicationId: 'a.b', permissions: 7 })),
    'permissions is an object in which each value is one of "allow", "deny", "unset".',
  ],
  [
    'values of several forms',
    around(step('open_app', { applicationId: 'a.b', arguments: 7 })),
    'arguments is an object in which each value is true or false, a number or text.',
  ],
  [
    'a setting without a value',
    around(step('change_setting', { setting: 'dark_mode' })),
    'Add value: true or false, a number, text or an object.',
  ],
  ['a key of Android', around(step('press_key', { key: 'bakc' })), 'Did you mean back? Keys: back, home,'],
  [
    'a setting',
    around(step('change_setting', { setting: 'orientation', value: 'portait' })),
    'Did you mean portrait? Such as orientation',
  ],
  ['a ref', clicking({ matcher: { ref: 'zz' } }), 'Compact snapshots with `POST /snapshot` show the refs of a screen'],
  [
    'another word for the same',
    around(step('set_permission', { applicationId: 'a.b', permission: 'camera', state: 'granted' })),
    'granted is allow here. Allowed: "allow", "deny", "unset".',
  ],
])('%s', (_, input, hint) => expect(refusal(input).hint).toContain(hint))

test('a word that is like nothing known brings no suggestion', () => {
  expect(refusal(around(step('abrakadabra'))).hint).toMatch(/^Types:/)
  expect(refusal(clicking({ matcher, clickType: 'focus', coordinate: { x: 0, y: 0 } })).hint).not.toContain('mean')
})

test('what cannot be put right by taking quotes off is not said to be', () => {
  for (const timeoutMs of [' ', 'Infinity', 'soon'])
    expect(refusal({ ...around(step('snapshot')), timeoutMs }).hint).toBe(
      'timeoutMs is an integer from 1000 to 120000.',
    )
  const text = around(step('enter_text', { matcher, text: 'a', clear: 'xtrue' }))
  expect(refusal(text).hint).toBe('clear is true or false. It may be left out, which means false.')
})

test('of many keys that are misspelt, the first three are put right', () => {
  const keys = { timeOut: 1, comandId: 2, taskid: 3, sourc: 4 }
  const hint = refusal({ ...around(step('snapshot')), ...keys }).hint ?? ''
  expect(hint.match(/Did you mean/g)).toHaveLength(3)
  expect(hint).not.toContain('sourc"')
})

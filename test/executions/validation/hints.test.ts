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
    'placeholder',
    around(step('set_on_screen_log', { template: '{{system.language_tag}} {{device.modell}}' })),
    'Did you mean device.model? Placeholders: foreground_app.icon,',
  ],
])('%s', (_, input, hint) => expect(refusal(input).hint).toContain(hint))

test('a word that is like nothing known brings no suggestion', () => {
  expect(refusal(around(step('abrakadabra'))).hint).toMatch(/^Types:/)
  expect(refusal(clicking({ matcher, clickType: 'focus', coordinate: { x: 0, y: 0 } })).hint).not.toContain('mean')
})

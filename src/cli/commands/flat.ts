/**
 * The flat commands, which stand for one action each; those of applications, keys and overlays are here, the others in
 * `flat/`.
 */

import { defined } from '../../contracts/json.ts'
import { KEYS } from '../../contracts/literals.ts'
import { openAction, pressAction, typeAction } from '../../executions/flat-actions.ts'
import type { Command, Flag, Given } from '../command.ts'
import { numberOf } from '../flag-values.ts'
import { commandOf, type FlatCommand, misuse, neededMatcher, SELECTOR_FLAGS, switched } from '../flat/command.ts'
import { click, scroll, scrollUntil, swipe } from '../flat/pointer.ts'
import { read, readValue, sleep, wait, waitForNav } from '../flat/reading.ts'

export const open: FlatCommand = {
  path: ['open'],
  shape: 'svc open <package|uri>',
  summary: 'open an application, or a URI in the application that handles it',
  details: 'An argument with a scheme (https:, tel:, myapp:) is a URI; anything else is a package name.',
  args: [{ name: 'package|uri', summary: 'com.android.settings, https://example.com', required: true }],
  examples: ['svc open com.android.settings', 'svc open https://example.com'],
  draft: ({ args: [target = ''] }) => openAction(target),
}

export const close: FlatCommand = {
  path: ['close'],
  shape: 'svc close <package>',
  summary: 'stop an application',
  args: [{ name: 'package', summary: 'com.android.settings', required: true }],
  examples: ['svc close com.android.settings'],
  draft: ({ args: [applicationId = ''] }) => ({ type: 'close_app', params: { applicationId } }),
}

const typeText: FlatCommand = {
  path: ['type'],
  shape: 'svc type <text> <selector> [--append] [--submit]',
  summary: 'enter text into a field',
  args: [{ name: 'text', summary: 'the text to enter, 1-512 characters', required: true }],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'append', summary: 'keep what the field holds, and add the text to it' },
    { name: 'clear', summary: 'replace what the field holds (the default)' },
    { name: 'submit', summary: 'press enter afterwards' },
  ],
  examples: [
    'svc type "hello" --id com.android.settings:id/search',
    'svc type "new" --role textfield --submit',
    'svc type " and more" --role textfield --append',
  ],
  draft(call) {
    const [text = ''] = call.args
    return typeAction({
      matcher: neededMatcher(call, typeText),
      text,
      append: switched(call, 'append'),
      clear: switched(call, 'clear'),
      submit: switched(call, 'submit'),
    })
  },
}

export const press: FlatCommand = {
  path: ['press'],
  shape: 'svc press <key>',
  summary: 'press a key of the device',
  args: [{ name: 'key', summary: KEYS.join(', '), required: true }],
  examples: ['svc press home', 'svc press enter'],
  draft: ({ args: [key = ''] }) => pressAction(key),
}

export const back: FlatCommand = {
  path: ['back'],
  shape: 'svc back',
  summary: 'press the back key',
  examples: ['svc back'],
  draft: () => pressAction('back'),
}

export const toast: FlatCommand = {
  path: ['toast'],
  shape: 'svc toast (<text> [--duration short|long] | --cancel)',
  summary: 'show a short message on the device, or remove it',
  args: [{ name: 'text', summary: 'the message, 1-2048 characters' }],
  flags: [
    { name: 'duration', value: 'short|long', summary: 'how long it stays (default short)' },
    { name: 'cancel', summary: 'remove the message' },
  ],
  examples: ['svc toast "Hands off, please"', 'svc toast "Done" --duration long', 'svc toast --cancel'],
  draft(call) {
    const [text] = call.args
    const duration = call.text('duration')
    if (call.isOn('cancel')) {
      const isAlone = text === undefined && duration === undefined
      if (!isAlone) throw misuse(toast, '--cancel cannot be combined with a text or --duration')
      return { type: 'cancel_toast' }
    }
    if (text === undefined) throw misuse(toast, '<text> is missing')
    return { type: 'show_toast', params: defined({ text, duration }) }
  },
}

interface Setting extends Flag {
  key: string
  isNumber?: boolean
}

const SETTINGS: readonly Setting[] = [
  { name: 'anchor', key: 'anchor', value: 'left|right', summary: 'the side of the screen (default left)' },
  { name: 'text-align', key: 'textAlign', value: 'left|right', summary: 'the side of the text (default left)' },
  { name: 'top-offset', key: 'topOffsetDp', value: 'dp', summary: '0-1000 (default 8)', isNumber: true },
  { name: 'edge-offset', key: 'edgeOffsetDp', value: 'dp', summary: '0-1000 (default 8)', isNumber: true },
  { name: 'width', key: 'widthDp', value: 'dp', summary: '80-600 (default 280)', isNumber: true },
  { name: 'font-size', key: 'fontSizeSp', value: 'sp', summary: '8-24 (default 12)', isNumber: true },
  { name: 'text-color', key: 'textColor', value: 'color', summary: '#RRGGBB or #AARRGGBB (default #FFFFFFFF)' },
  { name: 'background-color', key: 'backgroundColor', value: 'color', summary: 'the same (default #B3000000)' },
  {
    name: 'ttl',
    key: 'ttlMs',
    value: 'ms',
    summary: 'how long it stays, 1000-3600000 (default 300000)',
    isNumber: true,
  },
]

const settingsOf = (call: Given): Record<string, unknown> => {
  const settings: Record<string, unknown> = {}
  for (const { name, key, isNumber } of SETTINGS) {
    const text = call.text(name)
    if (text === undefined) continue
    settings[key] = isNumber ? numberOf(text, { field: `actions.0.params.${key}`, from: `--${name}` }) : text
  }
  return settings
}

const setOnScreenLog: FlatCommand = {
  path: ['on-screen-log', 'set'],
  shape: 'svc on-screen-log set (<text> | --template <text>) [settings]',
  summary: 'show a text over everything on the device',
  args: [{ name: 'text', summary: 'the text, 1-2048 characters' }],
  flags: [
    { name: 'template', value: 'text', summary: 'a text with placeholders such as {{foreground_app.package_name}}' },
    ...SETTINGS.map(({ name, value, summary }) => ({ name, ...(value === undefined ? {} : { value }), summary })),
  ],
  examples: [
    'svc on-screen-log set "Step 2 of 5"',
    "svc on-screen-log set --template '{{device.model}}' --anchor right --ttl 60000",
  ],
  draft(call) {
    const [text] = call.args
    const template = call.text('template')
    if ((text === undefined) === (template === undefined)) {
      const problem =
        text === undefined ? '<text> or --template is missing' : '<text> and --template cannot be combined'
      throw misuse(setOnScreenLog, problem)
    }
    return { type: 'set_on_screen_log', params: defined({ text, template, ...settingsOf(call) }) }
  },
}

const clearOnScreenLog: FlatCommand = {
  path: ['on-screen-log', 'clear'],
  shape: 'svc on-screen-log clear',
  summary: 'remove the text',
  examples: ['svc on-screen-log clear'],
  draft: () => ({ type: 'clear_on_screen_log' }),
}

/** In the order of the help. */
export const FLAT_COMMANDS: readonly FlatCommand[] = [
  open,
  close,
  click,
  typeText,
  press,
  back,
  swipe,
  scroll,
  scrollUntil,
  read,
  readValue,
  wait,
  waitForNav,
  sleep,
  toast,
  setOnScreenLog,
  clearOnScreenLog,
]

export const FLAT: readonly Command[] = FLAT_COMMANDS.map(commandOf)

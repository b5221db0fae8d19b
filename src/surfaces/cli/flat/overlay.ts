/** `svc toast`, `svc on-screen-log set|clear`. */
import { defined } from '../../../contracts/json/json.ts'
import type { Flag, Given } from '../command.ts'
import { numberOf } from '../flags/flag-values.ts'
import { type FlatCommand, misuse } from './command.ts'

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

export const setOnScreenLog: FlatCommand = {
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

export const clearOnScreenLog: FlatCommand = {
  path: ['on-screen-log', 'clear'],
  shape: 'svc on-screen-log clear',
  summary: 'remove the text',
  examples: ['svc on-screen-log clear'],
  draft: () => ({ type: 'clear_on_screen_log' }),
}

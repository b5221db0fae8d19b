/** The flat commands that show something on the device. They are loaded by themselves: few calls need their many flags. */

import { draftOf } from '../../../service/executions/actions/flat-actions.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, type FlatFlag, misuse } from '../flat/command.ts'

const toast: FlatCommand = {
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
      return draftOf('cancel_toast')
    }
    if (text === undefined) throw misuse(toast, '<text> is missing')
    return draftOf('show_toast', { text, duration })
  },
}

const SETTINGS: readonly FlatFlag[] = [
  { name: 'anchor', param: 'anchor', value: 'left|right', summary: 'the side of the screen (default left)' },
  { name: 'text-align', param: 'textAlign', value: 'left|right', summary: 'the side of the text (default left)' },
  { name: 'top-offset', param: 'topOffsetDp', value: 'dp', summary: '0-1000 (default 8)', isNumber: true },
  { name: 'edge-offset', param: 'edgeOffsetDp', value: 'dp', summary: '0-1000 (default 8)', isNumber: true },
  { name: 'width', param: 'widthDp', value: 'dp', summary: '80-600 (default 280)', isNumber: true },
  { name: 'font-size', param: 'fontSizeSp', value: 'sp', summary: '8-24 (default 12)', isNumber: true },
  { name: 'text-color', param: 'textColor', value: 'color', summary: '#RRGGBB or #AARRGGBB (default #FFFFFFFF)' },
  { name: 'background-color', param: 'backgroundColor', value: 'color', summary: 'the same (default #B3000000)' },
  {
    name: 'ttl',
    param: 'ttlMs',
    value: 'ms',
    summary: 'how long it stays, 1000-3600000 (default 300000)',
    isNumber: true,
  },
]

const setOnScreenLog: FlatCommand = {
  type: 'set_on_screen_log',
  path: ['on-screen-log', 'set'],
  shape: 'svc on-screen-log set (<text> | --template <text>) [settings]',
  summary: 'show a text over everything on the device',
  args: [{ name: 'text', summary: 'the text, 1-2048 characters', param: 'text' }],
  flags: [
    {
      name: 'template',
      value: 'text',
      summary: 'a text with placeholders such as {{foreground_app.package_name}}',
      param: 'template',
    },
    ...SETTINGS,
  ],
  examples: [
    'svc on-screen-log set "Step 2 of 5"',
    "svc on-screen-log set --template '{{device.model}}' --anchor right --ttl 60000",
  ],
  params(call) {
    const [text] = call.args
    const template = call.text('template')
    if ((text === undefined) === (template === undefined)) {
      const problem =
        text === undefined ? '<text> or --template is missing' : '<text> and --template cannot be combined'
      throw misuse(setOnScreenLog, problem)
    }
    return {}
  },
}

const clearOnScreenLog: FlatCommand = {
  type: 'clear_on_screen_log',
  path: ['on-screen-log', 'clear'],
  shape: 'svc on-screen-log clear',
  summary: 'remove the text',
  examples: ['svc on-screen-log clear'],
}

/** In the order of the help. */
export const OVERLAY_COMMANDS: readonly FlatCommand[] = [toast, setOnScreenLog, clearOnScreenLog]

export const OVERLAY: readonly Command[] = OVERLAY_COMMANDS.map(commandOf)

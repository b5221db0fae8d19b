/**
 * The flat commands, which stand for one action each; those of applications and keys are here, the others in `flat/`.
 * The commands that show something on the device are loaded by themselves (`overlay.ts`).
 */

import { KEYS } from '../../../contracts/json/literals.ts'
import { pressAction, typeAction } from '../../../service/executions/actions/flat-actions.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, SELECTOR_FLAGS, switched } from '../flat/command.ts'
import { open } from '../flat/open.ts'
import { click, scroll, scrollUntil, swipe } from '../flat/pointer.ts'
import { read, readValue, sleep, wait, waitForNav } from '../flat/reading.ts'
import { selectorOf } from '../flat/short-selector.ts'

export const close: FlatCommand = {
  path: ['close'],
  shape: 'svc close <package> [--background]',
  summary: 'stop an application',
  args: [{ name: 'package', summary: 'com.android.settings', required: true }],
  flags: [{ name: 'background', summary: 'end it as the system does for memory: only while it is not in front' }],
  examples: ['svc close com.android.settings', 'svc close com.android.settings --background'],
  draft(call) {
    const [applicationId = ''] = call.args
    const background = switched(call, 'background')
    return { type: 'close_app', params: { applicationId, ...(background === undefined ? {} : { background }) } }
  },
}

const typeText: FlatCommand = {
  path: ['type'],
  shape: 'svc type <text> [<label> | <@ref> | <selector>] [--append] [--submit]',
  summary: 'enter text into a field: the named one, or the one that has the focus',
  args: [
    { name: 'text', summary: 'the text to enter, 1-512 characters', required: true },
    { name: 'field', shape: '[label|@ref]', summary: 'the field: its exact label (--text), or a ref', rest: true },
  ],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'append', summary: 'keep what the field holds, and add the text to it' },
    { name: 'clear', summary: 'replace what the field holds (the default)' },
    { name: 'submit', summary: 'press enter afterwards' },
  ],
  examples: [
    'svc type hello',
    'svc type hello "Search settings" --submit',
    'svc type "hello" --id com.android.settings:id/search',
    'svc type " and more" @12.7 --append',
  ],
  draft(call) {
    const [text = '', ...field] = call.args
    return typeAction({
      matcher: selectorOf(call, typeText, field, text),
      text,
      append: switched(call, 'append'),
      clear: switched(call, 'clear'),
      submit: switched(call, 'submit'),
    })
  },
}

export const press: FlatCommand = {
  path: ['press'],
  shape: 'svc press <key> [--long]',
  summary: 'press a key of the device',
  args: [{ name: 'key', summary: `${KEYS.join(', ')}, or a key of Android such as volume_up`, required: true }],
  flags: [{ name: 'long', summary: 'long press' }],
  examples: ['svc press home', 'svc press enter', 'svc press power --long'],
  draft: call => pressAction(call.args[0] ?? '', switched(call, 'long')),
}

export const back: FlatCommand = {
  path: ['back'],
  shape: 'svc back',
  summary: 'press the back key',
  examples: ['svc back'],
  draft: () => pressAction('back'),
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
]

export const FLAT: readonly Command[] = FLAT_COMMANDS.map(commandOf)

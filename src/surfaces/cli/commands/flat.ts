/**
 * The flat commands, which stand for one action each; those of applications and keys are here, the others in `flat/`.
 * Actions that few calls need are loaded by themselves: `gestures.ts`, `overlay.ts`, `phone.ts`.
 */

import { KEYS } from '../../../contracts/json/literals.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, SELECTOR_FLAGS } from '../flat/command.ts'
import { open } from '../flat/open.ts'
import { click, scroll, scrollUntil, swipe } from '../flat/pointer.ts'
import { read, readValue, sleep, wait, waitForNav } from '../flat/reading.ts'
import { NODE_ARGUMENT, selectorOf } from '../flat/short-selector.ts'

export const close: FlatCommand = {
  type: 'close_app',
  path: ['close'],
  shape: 'svc close <package> [--background]',
  summary: 'stop an application',
  args: [{ name: 'package', summary: 'com.android.settings', required: true, param: 'applicationId', kind: 'app' }],
  flags: [
    {
      name: 'background',
      summary: 'end it as the system does for memory: only while it is not in front',
      param: 'background',
    },
  ],
  examples: ['svc close com.android.settings', 'svc close com.android.settings --background'],
}

const typeText: FlatCommand = {
  type: 'enter_text',
  path: ['type'],
  shape: 'svc type <text> [<label> | <@ref> | <selector>] [--append] [--submit]',
  summary: 'enter text into a field: the named one, or the one that has the focus',
  args: [
    { name: 'text', summary: 'the text to enter, 1-512 characters', required: true, param: 'text' },
    { ...NODE_ARGUMENT, name: 'field', summary: 'the field: its exact label (--text), or a ref' },
  ],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'append', summary: 'keep what the field holds, and add the text to it', param: 'append' },
    { name: 'clear', summary: 'replace what the field holds (the default)', param: 'clear' },
    { name: 'submit', summary: 'press enter afterwards', param: 'submit' },
  ],
  examples: [
    'svc type hello',
    'svc type hello "Search settings" --submit',
    'svc type "hello" --id com.android.settings:id/search',
    'svc type " and more" @12.7 --append',
  ],
  params(call) {
    const [text = '', ...field] = call.args
    return { matcher: selectorOf(call, typeText, field, text) }
  },
}

export const press: FlatCommand = {
  type: 'press_key',
  path: ['press'],
  shape: 'svc press <key> [--long]',
  summary: 'press a key of the device',
  args: [
    {
      name: 'key',
      summary: `${KEYS.join(', ')}, or a key of Android such as volume_up`,
      required: true,
      param: 'key',
      kind: 'key',
    },
  ],
  flags: [{ name: 'long', summary: 'long press', param: 'longPress' }],
  examples: ['svc press home', 'svc press enter', 'svc press power --long'],
}

export const back: FlatCommand = {
  type: 'press_key',
  path: ['back'],
  shape: 'svc back',
  summary: 'press the back key',
  examples: ['svc back'],
  params: () => ({ key: 'back' }),
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

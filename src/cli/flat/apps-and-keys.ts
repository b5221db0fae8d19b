/** `svc open`, `svc close`, `svc type`, `svc press`, `svc back`. */
import { KEYS } from '../../contracts/literals.ts'
import { openAction, pressAction, typeAction } from '../../executions/flat-actions.ts'
import { type FlatCommand, neededMatcher, SELECTOR_FLAGS, switched } from './command.ts'

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

export const typeText: FlatCommand = {
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

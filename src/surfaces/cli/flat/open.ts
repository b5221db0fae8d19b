/** `svc open`: an application as its icon opens it, or as its flags say, or a URI. */
import { isUri, openAction } from '../../../service/executions/actions/flat-actions.ts'
import type { Given } from '../command.ts'
import { type FlatCommand, misuse, switched } from './command.ts'

const FLAGS = [
  { name: 'activity', value: 'name', summary: 'start this activity of it, such as .DetailActivity' },
  {
    name: 'argument',
    value: 'name=value',
    many: true,
    summary: 'hand it this argument (an extra of its intent); true, false and numbers are that, "5" is text',
  },
  { name: 'clear-state', summary: 'remove its data first; that stops it, and resets its permissions' },
  { name: 'stop-first', summary: 'stop it first, so that it starts anew' },
  {
    name: 'permission',
    value: 'name=allow|deny|unset',
    many: true,
    summary: 'set this permission first, such as camera=allow or all=deny',
  },
] as const

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const QUOTED = /^"(?:[^"\\\n]|\\.)*"$/

/** A number that is one in JSON too; an integer that would lose digits is text. */
const isNumber = (text: string): boolean =>
  NUMBER.test(text) && (/[.e]/i.test(text) ? Number.isFinite(Number(text)) : Number.isSafeInteger(Number(text)))

const unquoted = (text: string): string => {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

const argumentValue = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true'
  if (isNumber(text)) return Number(text)
  return QUOTED.test(text) ? unquoted(text) : text
}

const pairsOf = <T>(call: Given, flag: string, read: (text: string) => T): Record<string, T> | undefined => {
  const pairs = call.all(flag)
  if (pairs.length === 0) return undefined
  return Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      if (at < 1) throw misuse(open, `--${flag} is name=value`)
      return [pair.slice(0, at), read(pair.slice(at + 1))]
    }),
  )
}

export const open: FlatCommand = {
  path: ['open'],
  shape: 'svc open <package|uri> [--activity <name>] [--argument <name=value>] [--permission <name=state>]',
  summary: 'open an application, or a URI in the application that handles it',
  details:
    'An argument with a scheme (https:, tel:, myapp:) is a URI; anything else is a package name, and the flags are for that.\n' +
    'An application that runs comes to the front as it is and may take no arguments: --stop-first starts it anew.',
  args: [{ name: 'package|uri', summary: 'com.android.settings, https://example.com', required: true, kind: 'app' }],
  flags: FLAGS,
  examples: [
    'svc open com.android.settings',
    'svc open https://example.com',
    'svc open com.example.notes --stop-first --permission camera=allow',
    'svc open com.example.notes --activity .NoteActivity --argument id=7 --argument "title=To do"',
  ],
  draft(call) {
    const [target = ''] = call.args
    const named = FLAGS.find(({ name }) => call.isOn(name) || call.all(name).length > 0)
    if (named && isUri(target)) throw misuse(open, `--${named.name} is for a package, not for a URI`)
    return openAction(target, {
      activity: call.text('activity'),
      arguments: pairsOf(call, 'argument', argumentValue),
      clearState: switched(call, 'clear-state'),
      stopFirst: switched(call, 'stop-first'),
      permissions: pairsOf(call, 'permission', state => state),
    })
  },
}

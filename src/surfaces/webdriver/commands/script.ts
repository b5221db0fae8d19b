/** POST execute/sync and execute/async: a `mobile:` method by its name, or JavaScript in the page of a web view. */

import * as v from 'valibot'
import { isObject } from '../../../contracts/json/json.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'
import { ACTIVITY_METHODS } from '../mobile/activities.ts'
import { APP_METHODS } from '../mobile/apps.ts'
import { AREA_METHODS } from '../mobile/area-gestures.ts'
import { CLIPBOARD_METHODS, DEVICE_METHODS } from '../mobile/device.ts'
import { FILE_METHODS } from '../mobile/files.ts'
import { KEY_METHODS } from '../mobile/keys.ts'
import { PERMISSION_METHODS } from '../mobile/permissions.ts'
import { RECORDING_METHODS } from '../mobile/recording.ts'
import { SCROLL_METHODS } from '../mobile/scrolling.ts'
import { SETTING_METHODS } from '../mobile/settings.ts'
import { SYSTEM_METHODS } from '../mobile/system-windows.ts'
import { TOUCH_METHODS } from '../mobile/touch-gestures.ts'
import { invalid, text } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Script } from '../web/page-scripts.ts'
import { type DescribedMethod, type MobileMethod, olderPath, type SessionCommand } from './command.ts'
import { getContexts } from './contexts.ts'

export const MOBILE_METHODS: readonly DescribedMethod[] = [
  ...APP_METHODS,
  ...ACTIVITY_METHODS,
  ...PERMISSION_METHODS,
  ...KEY_METHODS,
  ...TOUCH_METHODS,
  ...AREA_METHODS,
  ...SCROLL_METHODS,
  ...CLIPBOARD_METHODS,
  ...FILE_METHODS,
  ...DEVICE_METHODS,
  ...SETTING_METHODS,
  ...SYSTEM_METHODS,
  ...RECORDING_METHODS,
  getContexts,
]

const METHODS: ReadonlyMap<string, MobileMethod> = new Map(MOBILE_METHODS.map(method => [method.name, method]))

const MOBILE = /^\s*mobile:\s*(\S+)\s*$/

const listed = () => [...METHODS.keys()].sort().join(', ')

/** Clients fall back to older endpoints only where the message has the words `unknown method`. */
const unknownMethod = (what: string) =>
  new WebDriverError(
    'unknown method',
    `unknown method: ${what} This server knows ${listed()}, each as "mobile: <name>".`,
  )

const argumentsOf = (args: readonly unknown[], name: string): Readonly<Record<string, unknown>> => {
  const [first = {}, ...more] = args
  if (more.length > 0) throw invalid(`mobile: ${name} takes one object, but args has ${args.length} values.`)
  if (first === null) return {}
  if (isObject(first)) return first
  throw invalid(
    `mobile: ${name} takes one object, but args has ${Array.isArray(first) ? 'an array' : `a ${typeof first}`}.`,
  )
}

const NO_SCRIPT = 'a script is no JavaScript in the context NATIVE_APP: switch to a web view for it.'

const scriptArguments = v.optional(v.array(v.unknown(), 'must be an array'), [])

const inPage = async (session: LiveSession, script: Script): Promise<unknown> =>
  (await import('../web/page-scripts.ts')).runScript(session, script)

export const SCRIPT_COMMANDS: readonly SessionCommand[] = [
  olderPath({
    path: '/execute/sync',
    summary: 'Performs a mobile: method; in a web context also JavaScript in the page.',
    args: { script: text, args: scriptArguments },
    async run(session, { script, args }) {
      const [, name] = MOBILE.exec(script) ?? []
      if (name === undefined && session.web) return await inPage(session, { script, args, isAsync: false })
      if (name === undefined) throw unknownMethod(NO_SCRIPT)
      const method = METHODS.get(name)
      if (!method)
        throw unknownMethod(`there is no "mobile: ${shortText(name)}".${didYouMean(name, [...METHODS.keys()])}`)
      return await method.run(session, argumentsOf(args, name))
    },
  }),
  olderPath({
    path: '/execute/async',
    summary: 'JavaScript in the page of a web context, which calls its last argument with its result.',
    args: { script: text, args: scriptArguments },
    async run(session, { script, args }) {
      if (!session.web) throw unknownMethod(NO_SCRIPT)
      return await inPage(session, { script, args, isAsync: true })
    },
  }),
]

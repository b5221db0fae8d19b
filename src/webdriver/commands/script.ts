/** POST execute/sync: a `mobile:` method by its name. */
import * as v from 'valibot'
import { isObject } from '../../contracts/json.ts'
import { MOBILE_METHODS } from '../mobile/catalogue.ts'
import { olderPath } from '../mobile/mobile-method.ts'
import { invalid, someText } from '../protocol/arguments.ts'
import { didYouMean } from '../protocol/did-you-mean.ts'
import { shortText } from '../protocol/short-text.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { MobileMethod, SessionCommand } from './command.ts'

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
  const [given = {}, ...more] = args
  if (more.length > 0) throw invalid(`mobile: ${name} takes one object, but args has ${args.length} values.`)
  if (given === null) return {}
  if (isObject(given)) return given
  throw invalid(
    `mobile: ${name} takes one object, but args has ${Array.isArray(given) ? 'an array' : `a ${typeof given}`}.`,
  )
}

export const SCRIPT_COMMANDS: readonly SessionCommand[] = [
  olderPath({
    path: '/execute/sync',
    summary: 'Performs a mobile: method. args is an array with one object, or empty.',
    args: { script: someText, args: v.optional(v.array(v.unknown(), 'must be an array'), []) },
    async run(session, { script, args }) {
      const [, name] = MOBILE.exec(script) ?? []
      if (name === undefined) throw unknownMethod('a script is no JavaScript here.')
      const method = METHODS.get(name)
      if (!method)
        throw unknownMethod(`there is no "mobile: ${shortText(name)}".${didYouMean(name, [...METHODS.keys()])}`)
      return await method.run(session, argumentsOf(args, name))
    },
  }),
]

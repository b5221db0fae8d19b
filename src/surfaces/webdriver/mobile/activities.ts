/** The `mobile:` methods that start activities and links, and say which one is in front. */
import * as v from 'valibot'
import { mobileMethod } from '../commands/command.ts'
import { flag, invalid, oneOrMore, optional, someText, unsupported } from '../protocol/arguments.ts'
import { deviceOf, type SessionStep } from '../session/live-session.ts'

/** The types of extras that an action can carry; the others of `am start` are arrays, URIs and components. */
const EXTRA_TYPES = ['s', 'z', 'i', 'l', 'f'] as const

const Extra = v.tuple(
  [v.picklist(EXTRA_TYPES), v.string(), v.union([v.string(), v.number(), v.boolean()])],
  `must be arrays of type, name and value, the type one of ${EXTRA_TYPES.join(', ')}`,
)
type Extra = v.InferOutput<typeof Extra>

const extraValue = ([type, name, value]: Extra): string | number | boolean => {
  if (type === 's') return String(value)
  if (type === 'z') return String(value) === 'true'
  const read = Number(value)
  if (Number.isNaN(read)) throw invalid(`The extra ${name} of mobile: startActivity must be a number.`)
  return read
}

const MAIN = 'android.intent.action.MAIN'
const VIEW = 'android.intent.action.VIEW'
const LAUNCHER = 'android.intent.category.LAUNCHER'

interface Start {
  intent?: string | undefined
  component?: string | undefined
  package?: string | undefined
  action?: string | undefined
  categories?: readonly string[] | undefined
  uri?: string | undefined
  stop?: boolean | undefined
  extras?: readonly Extra[] | undefined
}

const WORKS = 'What works: a component (package/activity) with extras and stop, a package alone, or a uri.'

const stepFor = ({ intent, component = intent, ...start }: Start): SessionStep => {
  const { action, categories = [], uri, stop = false, extras = [] } = start
  const isView = uri !== undefined && component === undefined
  const foreign = categories.find(category => category !== LAUNCHER)
  if (action !== undefined && action !== (isView ? VIEW : MAIN))
    throw unsupported(`The action ${action} is not supported. ${WORKS}`)
  if (foreign !== undefined) throw unsupported(`The category ${foreign} is not supported. ${WORKS}`)
  if (isView) {
    if (stop || extras.length > 0) throw unsupported(`A uri takes no extras and no stop. ${WORKS}`)
    return { type: 'open_uri', params: { uri } }
  }
  if (uri !== undefined) throw unsupported(`A component with a uri is not supported. ${WORKS}`)
  const [applicationId = '', activity] = (component ?? start.package ?? '').split('/')
  if (applicationId === '') throw invalid(`mobile: startActivity needs a component. ${WORKS}`)
  const values = Object.fromEntries(extras.map(extra => [extra[1], extraValue(extra)]))
  return {
    type: 'open_app',
    params: {
      applicationId,
      ...(activity === undefined ? {} : { activity }),
      ...(stop ? { stopFirst: true } : {}),
      ...(extras.length === 0 ? {} : { arguments: values }),
    },
  }
}

export const startActivity = mobileMethod({
  name: 'startActivity',
  summary: 'Starts an activity by its component, with extras. stop ends the application first.',
  args: {
    component: optional(someText),
    intent: optional(someText),
    package: optional(someText),
    action: optional(someText),
    categories: optional(oneOrMore),
    uri: optional(someText),
    stop: optional(flag),
    wait: optional(flag),
    extras: optional(v.array(Extra)),
  },
  async run(session, { wait: _, ...start }) {
    await session.act([stepFor(start)])
    return null
  },
})

const OPENED_MS = 15_000

export const deepLink = mobileMethod({
  name: 'deepLink',
  summary:
    'Opens a link. package is the application that must be in front then; the device chooses which one opens it.',
  args: { url: someText, package: optional(someText), waitForLaunch: optional(flag) },
  async run(session, { url, package: expected, waitForLaunch = true }) {
    const opening: SessionStep = { type: 'open_uri', params: { uri: url } }
    const waiting: SessionStep = {
      type: 'wait_for_navigation',
      params: { expectedPackage: expected, timeoutMs: OPENED_MS },
    }
    await session.act(expected === undefined || !waitForLaunch ? [opening] : [opening, waiting])
    return null
  },
})

export const getCurrentPackage = mobileMethod({
  name: 'getCurrentPackage',
  summary: 'The package of the application in front.',
  args: {},
  run: async session => (await deviceOf(session)).frontApp ?? null,
})

/** As Android writes it in a component: without the package, where that begins the name. */
const shortActivity = (activity: string, applicationId: string): string =>
  activity.startsWith(`${applicationId}.`) ? activity.slice(applicationId.length) : activity

export const getCurrentActivity = mobileMethod({
  name: 'getCurrentActivity',
  summary: 'The activity in front, without the package where that begins its name.',
  args: {},
  async run(session) {
    const { frontApp = '', frontActivity } = await deviceOf(session)
    return frontActivity === undefined ? null : shortActivity(frontActivity, frontApp)
  },
})

export const ACTIVITY_METHODS = [startActivity, deepLink, getCurrentPackage, getCurrentActivity]

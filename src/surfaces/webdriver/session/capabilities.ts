/** Section WebDriver, row Capabilities: what a client asks for, merged as W3C says and checked; each violation names its key. */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../contracts/json/json.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'
import { typingMistakeOf } from '../protocol/typing-mistake.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { IMPLICIT_MS_MAX } from './timeouts.ts'

type Values = Readonly<Record<string, unknown>>

const PREFIX = 'appium:'
const OPTIONS = 'appium:options'
const DEFAULT_COMMAND_TIMEOUT_S = 60
/** A session that nobody uses for longer has no client. */
const COMMAND_TIMEOUT_S_MAX = 7 * 24 * 60 * 60
const MS_PER_S = 1_000

const invalid = (message: string) => new WebDriverError('invalid argument', message)

const shownValue = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? String(value)

interface Kind {
  readonly said: string
  is(value: unknown): boolean
}
const TEXT: Kind = { said: 'a text', is: value => typeof value === 'string' }
/** An empty one would be another wish than its client means: any phone, or no app. */
const NAME: Kind = { said: 'a text that is not empty', is: value => typeof value === 'string' && value.trim() !== '' }
const BOOLEAN: Kind = { said: 'true or false', is: value => typeof value === 'boolean' }
const OBJECT: Kind = { said: 'an object', is: value => isObject(value) && !Array.isArray(value) }
const TEXT_OR_OBJECT: Kind = { said: 'a text or an object', is: value => TEXT.is(value) || OBJECT.is(value) }
const SECONDS: Kind = {
  said: `a number of seconds from 0 to ${COMMAND_TIMEOUT_S_MAX}`,
  is: value => typeof value === 'number' && value >= 0 && value <= COMMAND_TIMEOUT_S_MAX,
}

const MILLISECONDS: Kind = {
  said: `a number of ms from 0 to ${IMPLICIT_MS_MAX}`,
  is: value => typeof value === 'number' && value >= 0 && value <= IMPLICIT_MS_MAX,
}

/** The names that W3C WebDriver has; all others need a prefix. */
const STANDARD: Readonly<Record<string, Kind>> = {
  acceptInsecureCerts: BOOLEAN,
  browserName: TEXT,
  browserVersion: TEXT,
  pageLoadStrategy: TEXT,
  platformName: TEXT,
  proxy: OBJECT,
  setWindowRect: BOOLEAN,
  strictFileInteractability: BOOLEAN,
  timeouts: OBJECT,
  unhandledPromptBehavior: TEXT_OR_OBJECT,
  userAgent: TEXT,
  webSocketUrl: BOOLEAN,
}

/** Without the prefix. Others are accepted, and told back. */
const APPIUM: Readonly<Record<string, Kind>> = {
  app: NAME,
  appActivity: NAME,
  appPackage: NAME,
  autoGrantPermissions: BOOLEAN,
  autoLaunch: BOOLEAN,
  automationName: TEXT,
  autoWebview: BOOLEAN,
  autoWebviewName: NAME,
  autoWebviewTimeout: MILLISECONDS,
  deviceName: TEXT,
  fullReset: BOOLEAN,
  newCommandTimeout: SECONDS,
  noReset: BOOLEAN,
  platformVersion: TEXT,
  udid: NAME,
}

const ownEntry = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined

/** Chooses what acts on the phone, as `operatorPackage` does elsewhere. */
const OPERATOR = 'svc:operatorPackage'
const OWN_PREFIX = 'svc:'

const kindOf = (name: string): Kind | undefined => {
  if (name === OPERATOR) return TEXT
  return name.startsWith(PREFIX) ? ownEntry(APPIUM, name.slice(PREFIX.length)) : ownEntry(STANDARD, name)
}

const prefixed = (name: string | undefined) => (name === undefined ? undefined : PREFIX + name)

/** Names of Appium's drivers that svc does not know are accepted: only what is nearly a known one is a mistake. */
const meantBy = (name: string): string | undefined => {
  const ofAppium = Object.keys(APPIUM)
  const at = name.indexOf(':') + 1
  if (at === 0 && ofAppium.includes(name)) return PREFIX + name
  if (at === 0) return typingMistakeOf(name, Object.keys(STANDARD)) ?? prefixed(typingMistakeOf(name, ofAppium))
  const [prefix, rest] = [name.slice(0, at), name.slice(at)]
  if (prefix === PREFIX) return prefixed(typingMistakeOf(rest, [...ofAppium, OPTIONS.slice(at)]))
  if (prefix === OWN_PREFIX) return OPERATOR
  return typingMistakeOf(prefix, [PREFIX]) && PREFIX + rest
}

const checkValue = (name: string, value: unknown): void => {
  const kind = kindOf(name)
  if (kind && !kind.is(value))
    throw invalid(`The capability ${name} must be ${kind.said}, but is ${shownValue(value)}.`)
  if (kind) return
  const suggestion = meantBy(name)
  const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  if (suggestion !== undefined && name.includes(':'))
    throw invalid(`There is no capability ${shortText(name)}.${question}`)
  if (name.includes(':')) return
  throw invalid(
    `The capability ${shortText(name)} is not one of W3C WebDriver, and others need a prefix such as appium:.${question}`,
  )
}

/** Members of `appium:options` are capabilities with that prefix. */
const unfolded = (values: Values, where: string): Values => {
  const { [OPTIONS]: options, ...rest } = values
  if (options === undefined || options === null) return rest
  if (!isObject(options) || Array.isArray(options)) throw invalid(`${where}.${OPTIONS} must be an object.`)
  const all = new Map(Object.entries(rest).filter(([, value]) => value !== null))
  for (const [member, value] of Object.entries(options)) {
    if (value === null) continue
    const name = member.startsWith(PREFIX) ? member : PREFIX + member
    if (all.has(name) && !isDeepStrictEqual(all.get(name), value))
      throw invalid(`The capability ${name} has two values in ${where}: one is in ${OPTIONS}. Send one of them.`)
    all.set(name, value)
  }
  return Object.fromEntries(all)
}

/** A value of null counts as not given. */
const checked = (capabilities: unknown, where: string): Values => {
  if (!isObject(capabilities) || Array.isArray(capabilities))
    throw invalid(`${where} must be an object, but is ${shownValue(capabilities)}.`)
  const values = Object.entries(unfolded(capabilities, where)).filter(([, value]) => value !== null)
  for (const [name, value] of values) checkValue(name, value)
  return Object.fromEntries(values)
}

const merged = (always: Values, first: Values, where: string): Values => {
  const twice = Object.keys(first).find(name => Object.hasOwn(always, name))
  if (twice !== undefined)
    throw invalid(`The capability ${twice} is in alwaysMatch and in ${where}: it may be in one of them.`)
  return { ...always, ...first }
}

/** Why this server cannot give such a session; undefined where it can. */
const mismatch = ({ platformName, browserName, 'appium:automationName': automation }: Values): string | undefined => {
  if (typeof platformName === 'string' && platformName.toLowerCase() !== 'android')
    return `platformName is ${shownValue(platformName)}, and this server drives Android`
  if (typeof automation === 'string' && automation.toLowerCase() !== 'uiautomator2')
    return `appium:automationName is ${shownValue(automation)}, and this server is like UiAutomator2`
  if (typeof browserName === 'string' && browserName !== '')
    return `browserName is ${shownValue(browserName)}, and this server drives apps: leave it out, and open the browser as an app`
  return undefined
}

const matched = (body: Values): Values => {
  const { capabilities } = body
  if (!isObject(capabilities) || Array.isArray(capabilities))
    throw invalid('The body must have capabilities, an object with alwaysMatch or firstMatch.')
  const { alwaysMatch = {}, firstMatch = [{}] } = capabilities
  const always = checked(alwaysMatch, 'alwaysMatch')
  if (!Array.isArray(firstMatch) || firstMatch.length === 0)
    throw invalid('firstMatch must be a list with at least one object.')
  const alternatives = firstMatch.map((alternative, at) => {
    const where = `firstMatch[${at}]`
    return merged(always, checked(alternative, where), where)
  })
  const fits = alternatives.find(one => mismatch(one) === undefined)
  if (fits) return fits
  const [first = {}] = alternatives
  throw new WebDriverError('session not created', `No such session can be created: ${mismatch(first)}.`)
}

/** The app under test, and what is to be done with it before the first command. */
export interface AppUnderTest {
  /** A file of this host. */
  readonly apk: string | undefined
  readonly applicationId: string | undefined
  readonly activity: string | undefined
  readonly launches: boolean
  readonly grantsPermissions: boolean
  readonly reset: 'none' | 'data' | 'full'
}

export interface SessionWish {
  /** As they are told back, with the values of the phone. */
  readonly capabilities: Values
  /** A serial, `<serial>@<host>` or `any:<labels>`; undefined for any free phone. */
  readonly udid: string | undefined
  readonly app: AppUnderTest
  /** Undefined: the phone decides. */
  readonly operatorPackage: string | undefined
  /** 0: idleness does not end the session. */
  readonly idleMs: number
  readonly timeouts: Values
}

const resetOf = (noReset: boolean, fullReset: boolean): AppUnderTest['reset'] => {
  if (noReset) return 'none'
  return fullReset ? 'full' : 'data'
}

const appOf = (capabilities: Values): AppUnderTest => {
  const of = <T>(name: string) => capabilities[PREFIX + name] as T | undefined
  const text = (name: string) => of<string>(name)?.trim() || undefined
  const noReset = of<boolean>('noReset') ?? false
  const fullReset = of<boolean>('fullReset') ?? false
  const apk = text('app')
  if (noReset && fullReset) throw invalid('appium:noReset and appium:fullReset exclude each other: set one of them.')
  if (fullReset && apk === undefined)
    throw invalid('appium:fullReset installs the app anew, so it needs appium:app, the path of its APK.')
  if (apk !== undefined && /^[a-z][a-z\d+.-]+:\/\//i.test(apk))
    throw invalid('appium:app must be the path of an APK on this host: svc downloads nothing.')
  if (apk !== undefined && !apk.startsWith('/')) throw invalid('appium:app must be an absolute path of this host.')
  const activity = text('appActivity')
  const applicationId = text('appPackage')
  if (activity !== undefined && applicationId === undefined && apk === undefined)
    throw invalid('appium:appActivity is an activity of an app: name it by appium:appPackage.')
  return {
    apk,
    applicationId,
    activity,
    launches: of<boolean>('autoLaunch') ?? true,
    grantsPermissions: of<boolean>('autoGrantPermissions') ?? false,
    reset: resetOf(noReset, fullReset),
  }
}

export const wishOf = (body: Values): SessionWish => {
  const capabilities = matched(body)
  const seconds = (capabilities['appium:newCommandTimeout'] as number | undefined) ?? DEFAULT_COMMAND_TIMEOUT_S
  return {
    capabilities,
    udid: (capabilities['appium:udid'] as string | undefined)?.trim() || undefined,
    app: appOf(capabilities),
    operatorPackage: (capabilities[OPERATOR] as string | undefined)?.trim() || undefined,
    idleMs: Math.round(seconds * MS_PER_S),
    timeouts: (capabilities.timeouts as Values | undefined) ?? {},
  }
}

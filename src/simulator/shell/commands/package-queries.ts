/** `pm list`, `pm path` and what intents resolve to: the questions that hosts ask about packages. */
import { apkPath } from '../../package-manager.ts'
import type { Phone } from '../../phone.ts'
import { type Command, fail, USAGE_CODE } from '../command.ts'
import { fullComponent, LAUNCHER, launchActivity, type ParsedIntent, parseIntent, shortComponent } from '../intent.ts'

const FIRST_APP_UID = 10_000

const pathOf = (name: string, isSystem: boolean): string => {
  if (!isSystem) return apkPath(name)
  return name === 'android' ? '/system/framework/framework-res.apk' : `/system/priv-app/${name}/${name}.apk`
}

/** Finds the entry of an installed package. */
export const packageEntry = (phone: Phone, name: string) => {
  const {
    isSystem = false,
    isHome = false,
    uid = FIRST_APP_UID + phone.packages().indexOf(name),
    versionCode = 1,
    versionName = '1.0',
    minSdk = 24,
    splits = [],
    isDebuggable = false,
  } = phone.appFacts?.(name) ?? {}
  return {
    name,
    /** The path of its APK. */
    path: pathOf(name, isSystem),
    uid,
    /** The app came with the phone and is not one of the user's own. */
    isSystem,
    isHome,
    versionCode,
    versionName,
    minSdk,
    splits,
    isDebuggable,
  }
}

type PackageEntry = ReturnType<typeof packageEntry>

/** The name that `ps` prints for the user of a process. */
export const userName = (uid: number): string => (uid < FIRST_APP_UID ? 'system' : `u0_a${uid - FIRST_APP_UID}`)

/** Options of `pm list packages` that change nothing here: all packages are enabled, and none is an APEX. */
const WITHOUT_EFFECT = ['-a', '-e', '-u', '--match-libraries']
const SHOWING = ['-f', '-i', '-l', '-U', '--show-versioncode']
const CHOOSING: Readonly<Record<string, (entry: PackageEntry) => boolean>> = {
  '-3': ({ isSystem }) => !isSystem,
  '-s': ({ isSystem }) => isSystem,
  '-d': () => false,
  '--apex-only': () => false,
}
const KNOWN = [...WITHOUT_EFFECT, ...SHOWING, ...Object.keys(CHOOSING)]

const row = ({ name, path, versionCode, uid }: PackageEntry, options: readonly string[]): string =>
  [
    'package:',
    options.includes('-f') ? `${path}=` : '',
    name,
    options.includes('--show-versioncode') ? ` versionCode:${versionCode}` : '',
    options.includes('-i') ? '  installer=null' : '',
    options.includes('-U') ? ` uid:${uid}` : '',
    '\n',
  ].join('')

/** The options that a value follows are taken out with it. */
const split = (args: readonly string[]) => {
  const [options, rest]: [string[], string[]] = [[], []]
  let uid: number | undefined
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word === '--user') index++
    else if (word === '--uid') uid = Number(args[++index])
    else (word.startsWith('-') ? options : rest).push(word)
  }
  return { options, filter: rest[0] ?? '', uid }
}

export const list: Command = async context => {
  const { phone, out } = context
  const [what, ...args] = context.args
  if (what === 'users') return out('Users:\n\tUserInfo{0:Owner:4c13} running\n')
  if (what !== 'packages') return fail(context, `Error: unknown list type '${what ?? ''}'`, USAGE_CODE)
  const { options, filter, uid } = split(args)
  const unknown = options.find(option => !KNOWN.includes(option))
  if (unknown !== undefined) return fail(context, `Error: Unknown option: ${unknown}`, USAGE_CODE)
  const isChosen = (entry: PackageEntry) =>
    entry.name.includes(filter) &&
    (uid === undefined || entry.uid === uid) &&
    options.every(option => CHOOSING[option]?.(entry) ?? true)
  const found = [...phone.packages()]
    .sort()
    .map(name => packageEntry(phone, name))
    .filter(isChosen)
  const shownOptions = options.includes('-U') || uid === undefined ? options : [...options, '-U']
  return out(found.map(entry => row(entry, shownOptions)).join(''))
}

export const path: Command = async ({ args, phone, out }) => {
  const name = args.at(-1) ?? ''
  if (!phone.packages().includes(name)) return 1
  const { path: base, splits } = packageEntry(phone, name)
  const paths = [base, ...splits.map(split => apkPath(name, split))]
  return out(paths.map(each => `package:${each}\n`).join(''))
}

const HOME = 'android.intent.category.HOME'
const LEANBACK = 'android.intent.category.LEANBACK_LAUNCHER'
const QUERY = { valued: ['--user', '--query-flags'], on: ['--brief', '--components'] }

/** The last word names a package, unlike in other commands, where it may be a component or a uri. */
const intentOf = (args: readonly string[]): ParsedIntent => parseIntent(args, QUERY)

/** An activity that is asked for by its name is told with this. */
const ORDER_NAMED = 'priority=0 preferredOrder=0 match=0x0 specificIndex=-1'
const ORDER = 'priority=0 preferredOrder=0 match=0x108000 specificIndex=-1'

export const resolveActivity: Command = async ({ args, phone, out }) => {
  const { packageName = '', categories, own, component: explicit } = intentOf(args)
  if (explicit !== undefined) {
    if (phone.hasActivity?.(explicit) === false) return out('No activity found\n')
    const [name = '', className = ''] = explicit.split('/')
    const order = `${ORDER_NAMED} isDefault=false`
    if (own.has('--brief')) return out(`${order}\n${shortComponent(name, className)}\n`)
    const exported = phone.isExported?.(explicit) ?? true
    const full = fullComponent(name, className).slice(name.length + 1)
    return out(
      `${order}\n  ActivityInfo:\n    name=${full}\n    packageName=${name}\n    enabled=true exported=${exported} directBootAware=false\n`,
    )
  }
  const activity = categories.includes(LEANBACK) ? undefined : launchActivity(phone, packageName)
  if (activity === undefined) return out('No activity found\n')
  const component = shortComponent(packageName, activity)
  const order = `${ORDER} isDefault=true`
  return out(own.has('--brief') ? `${order}\n${component}\n` : `${order}\n  ActivityInfo:\n    name=${component}\n`)
}

/** The home screen is started by its key: it has no icon among the others. */
const componentsFor = (phone: Phone, { packageName, categories }: ParsedIntent): string[] =>
  [...phone.packages()].sort().flatMap(name => {
    const activity = launchActivity(phone, name)
    const { isHome } = packageEntry(phone, name)
    const isMeant = categories.includes(isHome ? HOME : LAUNCHER) && !categories.includes(LEANBACK)
    const isAsked = packageName === undefined || packageName === name
    return activity !== undefined && isMeant && isAsked ? [shortComponent(name, activity)] : []
  })

export const queryActivities: Command = async ({ args, phone, out }) => {
  const intent = intentOf(args)
  const found = componentsFor(phone, intent)
  if (found.length === 0) return out('No activities found\n')
  const order = `    ${ORDER} isDefault=false\n`
  const activityText = (component: string) =>
    intent.own.has('--brief')
      ? `${order}    ${component}\n`
      : `${order}    ActivityInfo:\n      name=${component}\n      packageName=${component.split('/')[0]}\n`
  const rows = found.map((component, at) => `  Activity #${at}:\n${activityText(component)}`)
  return out(
    intent.own.has('--components')
      ? found.map(component => `${component}\n`).join('')
      : `${found.length} activities found:\n${rows.join('')}`,
  )
}

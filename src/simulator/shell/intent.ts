/** Intents and names of components as the command line writes and prints them. */

import { defined } from '../../contracts/json/json.ts'
import type { Phone } from '../phone.ts'
import type { Intent } from '../phone-parts.ts'

const fullClass = (packageName: string, className: string): string => {
  if (className.startsWith('.')) return packageName + className
  return className.includes('.') ? className : `${packageName}.${className}`
}

/** `com.example/.Main` where the class lies in the package, as most tools print it. */
export const shortComponent = (packageName: string, className: string): string => {
  const full = fullClass(packageName, className)
  return `${packageName}/${full.startsWith(`${packageName}.`) ? full.slice(packageName.length) : full}`
}

export const fullComponent = (packageName: string, className: string): string =>
  `${packageName}/${fullClass(packageName, className)}`

const USUAL_ACTIVITY = '.MainActivity'

/** The activity that the launcher would start. */
export const launchActivity = (phone: Phone, packageName: string): string | undefined => {
  if (!phone.packages().includes(packageName)) return undefined
  return phone.appFacts ? phone.appFacts(packageName)?.launchActivity : USUAL_ACTIVITY
}

/** Seven hex digits that stand for an object of the system: always the same for the same name. */
export const objectToken = (name: string): string => {
  let hash = 0x811c9dc5
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0').slice(1)
}

export interface ParsedIntent extends Intent {
  flags: number
  type: string | undefined
  categories: readonly string[]
  /** Options of the command itself that were among those of the intent. */
  own: ReadonlyMap<string, string>
}

export class IntentUsage extends Error {}

export const MAIN = 'android.intent.action.MAIN'
export const LAUNCHER = 'android.intent.category.LAUNCHER'
const VIEW = 'android.intent.action.VIEW'

const PAIRED = /^--?(?:es|e|ez|ei|el|ef|ed|eu|ecn|eia|eial|ela|elal|efa|efal|esa|esal)$/
const PLAIN = /^--(?:grant-|activity-|receiver-|exclude-|include-|debug-|selector)/
export const FLAG_NEW_TASK = 0x1000_0000
export const FLAG_FROM_SHELL = 0x0040_0000
const FLAG_RECEIVER_FOREGROUND = 0x1000_0000
const NUMERIC = /^--e[il]$/

/** Checks the form of an extra's value for its type. */
const checked = (option: string, value: string): string => {
  if (option === '--ez' && !/^(true|t|1|false|f|0)$/i.test(value))
    throw new IntentUsage(`Invalid boolean value: ${value}`)
  if (option === '--ez') return String(/^[t1]/i.test(value))
  if (NUMERIC.test(option) && !/^[-+]?(0x[\da-f]+|\d+)$/i.test(value))
    throw new IntentUsage(`For input string: "${value}"`)
  return value
}

/** `pkg/.Class` and `pkg/pkg.Class` alike, as the whole name. */
const componentOf = (text: string): { packageName: string; component: string } => {
  const [, packageName, className] = /^([^/]+)\/(.+)$/s.exec(text) ?? []
  if (packageName === undefined || className === undefined) throw new IntentUsage(`Bad component name: ${text}`)
  return { packageName, component: `${packageName}/${fullClass(packageName, className)}` }
}

/** The intent when the last word is a uri, a component or a package. */
const fromWord = (word: string) => {
  if (word.includes(':')) return { action: VIEW, data: word, categories: [] }
  const launch = { action: MAIN, categories: [LAUNCHER] }
  return word.includes('/') ? { ...launch, ...componentOf(word) } : { ...launch, packageName: word }
}

/**
 * `valued` and `on` are the options of the command itself, with and without a value. Throws IntentUsage as the intent
 * parser of Android throws on what it does not know.
 */
export const parseIntent = (
  args: readonly string[],
  { valued, on }: { valued: readonly string[]; on: readonly string[] },
): ParsedIntent => {
  const fields: { action?: string; data?: string; packageName?: string; component?: string } = {}
  const extras: Record<string, string> = {}
  const own = new Map<string, string>()
  const categories: string[] = []
  let flags = 0
  let type: string | undefined
  let named: ReturnType<typeof fromWord> | undefined

  for (let index = 0; index < args.length; index++) {
    const option = args[index] ?? ''
    const next = () => {
      const value = args[++index]
      if (value === undefined) throw new IntentUsage(`Argument expected after "${option}"`)
      return value
    }
    if (!option.startsWith('-') || option === '-') {
      named = fromWord(option)
      break
    }
    if (on.includes(option)) own.set(option, '')
    else if (valued.includes(option)) own.set(option, next())
    else if (option === '-a') fields.action = next()
    else if (option === '-d') fields.data = next()
    else if (option === '-p') fields.packageName = next()
    else if (option === '-n') Object.assign(fields, componentOf(next()))
    else if (option === '-t') type = next()
    else if (option === '-c') categories.push(next())
    else if (option === '-f') flags = Number(next()) >>> 0
    else if (option === '--esn') extras[next()] = ''
    else if (PAIRED.test(option)) {
      const key = next()
      extras[key] = checked(option, next())
    } else if (option === '--receiver-foreground') flags |= FLAG_RECEIVER_FOREGROUND
    else if (!PLAIN.test(option)) throw new IntentUsage(`Unknown option: ${option}`)
  }
  const { categories: more = [], ...base } = named ?? {}
  return { ...base, ...fields, extras, flags, type, own, categories: [...categories, ...more] }
}

/** The part of it that the phone takes. */
export const plainIntent = ({ action, data, packageName, component, extras }: ParsedIntent): Intent => ({
  ...defined({ action, data, packageName, component }),
  extras,
})

export const printIntent = (intent: ParsedIntent, flags = intent.flags): string => {
  const { action, data, packageName, component, extras, type, categories } = intent
  const [holder = '', className = ''] = component?.split('/') ?? []
  const fields = [
    action === undefined ? '' : `act=${action}`,
    categories.length === 0 ? '' : `cat=[${categories.join(',')}]`,
    data === undefined ? '' : `dat=${data}`,
    type === undefined ? '' : `typ=${type}`,
    flags === 0 ? '' : `flg=0x${(flags >>> 0).toString(16)}`,
    packageName === undefined || component !== undefined ? '' : `pkg=${packageName}`,
    component === undefined ? '' : `cmp=${shortComponent(holder, className)}`,
    Object.keys(extras).length === 0 ? '' : '(has extras)',
  ]
  return `Intent { ${fields.filter(Boolean).join(' ')} }`
}

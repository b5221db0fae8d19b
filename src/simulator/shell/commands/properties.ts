/** `getprop`, `setprop` and `settings`. */
import { type Command, type Context, fail, misuse, USAGE_CODE } from '../command.ts'

export const getprop: Command = async ({ args, properties, out }) => {
  const [name, fallback = ''] = args
  if (name !== undefined) return out(`${properties.get(name) ?? fallback}\n`)
  const rows = [...properties.all()].sort(([a], [b]) => (a < b ? -1 : 1))
  return out(rows.map(([key, value]) => `[${key}]: [${value}]\n`).join(''))
}

const VALUE_CHARS_MAX = 92
/** The shell of a phone may not set them; it is root where adbd was started again as root. */
const ROOT_PREFIXES = ['persist.sys.', 'ctl.']
export const isRoot = ({ properties }: Pick<Context, 'properties'>): boolean =>
  properties.get('service.adb.root') === '1'

export const setprop: Command = async context => {
  const [name, value] = context.args
  if (name === undefined || value === undefined) return fail(context, 'usage: setprop NAME VALUE')
  const isFixed = name.startsWith('ro.') && context.properties.get(name) !== undefined
  const isOfRoot = ROOT_PREFIXES.some(prefix => name.startsWith(prefix)) && !isRoot(context)
  if (isFixed || isOfRoot || value.length >= VALUE_CHARS_MAX) {
    return fail(context, `Failed to set property '${name}' to '${value}'.\nSee dmesg for error reason.`)
  }
  context.properties.set(name, value)
  return 0
}

/** `service check <name>`; every service that is asked for runs. */
export const service: Command = async context => {
  const [verb, name = ''] = context.args
  if (verb !== 'check') return fail(context, `service: Unknown command ${verb ?? ''}`)
  return context.out(`Service ${name}: found\n`)
}

const NAMESPACES: readonly string[] = ['global', 'secure', 'system']

export const withoutUser = (args: readonly string[]) =>
  args.filter((word, at) => word !== '--user' && args[at - 1] !== '--user')

export const settings: Command = async context => {
  const { phone, out } = context
  const [verb = '', namespace = '', name, value] = withoutUser(context.args)
  if (!/^(?:get|put|delete|list)$/.test(verb)) return fail(context, `Invalid command: ${verb}`, USAGE_CODE)
  if (!NAMESPACES.includes(namespace)) return fail(context, `Invalid namespace '${namespace}'`, USAGE_CODE)
  const prefix = `${namespace}/`
  if (verb === 'list') {
    const rows = [...phone.settings].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1))
    return out(rows.map(([key, held]) => `${key.slice(prefix.length)}=${held}\n`).join(''))
  }
  if (name === undefined || (verb === 'put' && value === undefined)) return misuse(context, 'Bad arguments')
  if (verb === 'get') await out(`${phone.settings.get(prefix + name) ?? 'null'}\n`)
  else if (verb === 'delete') await out(`Deleted ${Number(phone.settings.delete(prefix + name))} rows\n`)
  else phone.settings.set(prefix + name, value ?? '')
  return 0
}

const URI = /^content:\/\/settings\/(\w+)(?:\/(.+))?$/
const WHERE = /^\s*name\s*=\s*['"](.*)['"]\s*$/

const option = (args: readonly string[], name: string) => {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args[at + 1]
}

const MEDIA_URI = 'content://media'
const SCAN_SDK = 29
const MEDIA_ID = 31

/** A path where nothing is has no address in the store. */
const scanFile = (context: Context, args: readonly string[]) => {
  const { phone, out } = context
  const path = option(args, '--arg') ?? ''
  const isScan = option(args, '--uri') === MEDIA_URI && option(args, '--method') === 'scan_file'
  if (!isScan || Number(phone.properties.get('ro.build.version.sdk')) < SCAN_SDK) return out('Result: null\n')
  const kind = path.startsWith('/sdcard/Movies') ? 'video' : 'images'
  const address = phone.files.read(path) ? `content://media/external_primary/${kind}/media/${MEDIA_ID}` : 'null'
  return out(`Result: Bundle[{android.intent.extra.STREAM=${address}}]\n`)
}

export const content: Command = async context => {
  const [verb, ...args] = context.args
  if (verb === 'call') return scanFile(context, args)
  if (verb !== 'query') return fail(context, `[ERROR] Unsupported operation: ${verb ?? ''}`, 1)
  const uri = option(args, '--uri')
  if (uri === undefined) return fail(context, '[ERROR] Content provider URI not specified.', 1)
  const [, namespace = '', key] = URI.exec(uri) ?? []
  if (!NAMESPACES.includes(namespace)) return fail(context, `Error while accessing provider: ${uri}`, USAGE_CODE)
  const wanted = key ?? WHERE.exec(option(args, '--where') ?? '')?.[1]
  const columns = option(args, '--projection')?.split(':') ?? ['_id', 'name', 'value']
  const rows = [...context.phone.settings]
    .filter(([name]) => name.startsWith(`${namespace}/`))
    .map(([name, value], at) => ({ _id: String(at + 1), name: name.slice(namespace.length + 1), value }))
    .filter(({ name }) => wanted === undefined || name === wanted)
  const lines = rows.map((row, at) => {
    const fields = Object.entries(row).filter(([column]) => columns.includes(column))
    return `Row: ${at} ${fields.map(([column, value]) => `${column}=${value}`).join(', ')}\n`
  })
  return context.out(lines.join('') || 'No result found.\n')
}

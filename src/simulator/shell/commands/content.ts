/** `content query` over the settings provider. */
import { type Command, USAGE_CODE } from '../command.ts'
import { fail } from '../say.ts'
import { NAMESPACES } from './properties.ts'

const URI = /^content:\/\/settings\/(\w+)(?:\/(.+))?$/
const WHERE = /^\s*name\s*=\s*['"](.*)['"]\s*$/

const option = (args: readonly string[], name: string) => {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args[at + 1]
}

export const content: Command = async context => {
  const [verb, ...args] = context.args
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
  await context.out(lines.join('') || 'No result found.\n')
  return 0
}

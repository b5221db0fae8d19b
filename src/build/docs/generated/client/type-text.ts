/** A shape of the contract as the text of a TypeScript type, without the library that declares it. */

/** The parts of a valibot schema that its type follows from. */
export interface Schema {
  readonly type: string
  readonly kind?: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly key?: Schema
  readonly value?: Schema
  readonly literal?: string | number | boolean
  readonly options?: readonly (Schema | string | number)[]
  readonly getter?: (input: unknown) => Schema
  readonly default?: unknown
  readonly pipe?: readonly (Schema & { readonly operation?: unknown; readonly requirement?: unknown })[]
}

/** What a caller sends, or what svc answers. */
export type Side = 'input' | 'output'

export interface Naming {
  /** Undefined for a shape that is written where it is used. */
  nameOf(schema: Schema, side: Side): string | undefined
  /** The name of the shape with these very entries: what a shape that holds itself refers to. */
  nameOfEntries(entries: Schema['entries'], side: Side): string | undefined
}

const LARGEST = Number.MAX_SAFE_INTEGER

const isOptional = ({ type }: Schema) => type === 'exact_optional' || type === 'optional'

const isSchema = (option: Schema | string | number): option is Schema => typeof option === 'object'

const inner = (schema: Schema): Schema[] => {
  const { entries = {}, wrapped, item, key, value, options = [], pipe = [] } = schema
  const parts = [...Object.values(entries), wrapped, item, key, value, ...options.filter(isSchema)]
  return [...parts, ...pipe.filter(each => each.kind === 'schema' && each !== schema)].filter(
    part => part !== undefined,
  )
}

/** A query travels as text, and a caller writes a number. */
const isNumberAsText = (schema: Schema): boolean =>
  (schema.pipe ?? []).some(
    each => each.operation === Number || (each.kind === 'schema' && each !== schema && isNumberAsText(each)),
  )

/** True where an answer has what a caller may leave out. */
export const hasTwoSides = (schema: Schema, seen = new Set<Schema>()): boolean => {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (isOptional(schema) && schema.default !== undefined) return true
  return inner(schema).some(part => hasTwoSides(part, seen))
}

const requirementOf = ({ pipe = [] }: Schema, type: string): number | undefined => {
  const found = pipe.find(each => each.type === type)?.requirement
  return typeof found === 'number' ? found : undefined
}

const boundsOf = (schema: Schema): string => {
  const least = requirementOf(schema, 'min_value')
  const most = requirementOf(schema, 'max_value')
  if (least !== undefined && most !== undefined && most < LARGEST) return `${least} to ${most}`
  const longest = requirementOf(schema, 'max_length')
  return longest === undefined ? '' : `at most ${longest} ${schema.type === 'array' ? 'items' : 'characters'}`
}

/** The range and the default of a field, as far as they are declared. */
const remarkOf = (entry: Schema): string => {
  const schema = isOptional(entry) && entry.wrapped ? entry.wrapped : entry
  const isPlain = ['string', 'number', 'boolean'].includes(typeof entry.default)
  const value = isNumberAsText(schema) ? Number(entry.default) : entry.default
  const preset = isPlain ? `default ${literalText(value)}` : ''
  return [boundsOf(schema), preset].filter(Boolean).join(', ')
}

const KEY = /^[A-Za-z_$][\w$]*$/
const keyText = (key: string) => (KEY.test(key) ? key : `'${key}'`)

const indented = (text: string) => text.replaceAll('\n', '\n  ')

const objectText = (entries: Readonly<Record<string, Schema>>, side: Side, naming: Naming): string => {
  const lines = Object.entries(entries).map(([key, entry]) => {
    const mayBeAbsent = isOptional(entry) && (side === 'input' || entry.default === undefined)
    const remark = remarkOf(entry)
    const comment = remark === '' ? '' : `  /** ${remark.charAt(0).toUpperCase()}${remark.slice(1)}. */\n`
    return `${comment}  ${keyText(key)}${mayBeAbsent ? '?' : ''}: ${indented(typeText(entry, side, naming))}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`
}

const literalText = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

const unionText = (options: readonly (Schema | string | number)[], side: Side, naming: Naming): string => {
  const texts = options.map(option => (isSchema(option) ? typeText(option, side, naming) : literalText(option)))
  return [...new Set(texts)].join(' | ')
}

const grouped = (text: string) => (/[|&]/.test(text.replace(/\{[\s\S]*\}/g, '')) ? `(${text})` : text)

const unnamedText = (schema: Schema, side: Side, naming: Naming): string => {
  const { type, entries = {}, wrapped, item, key, value, options = [], getter } = schema
  const of = (part: Schema | undefined) => (part === undefined ? 'unknown' : typeText(part, side, naming))
  switch (type) {
    case 'string':
      return isNumberAsText(schema) ? 'number' : 'string'
    case 'number':
    case 'boolean':
    case 'null':
    case 'unknown':
      return type
    case 'literal':
      return literalText(schema.literal)
    case 'picklist':
    case 'union':
    case 'variant':
      return unionText(options, side, naming)
    case 'nullable':
      return `${of(wrapped)} | null`
    case 'exact_optional':
      return of(wrapped)
    case 'optional':
      return `${of(wrapped)} | undefined`
    case 'array':
      return `${grouped(of(item))}[]`
    case 'record':
      return `{ [key in ${of(key)}]${key?.type === 'string' ? '' : '?'}: ${of(value)} }`.replace(
        '[key in string]',
        '[key: string]',
      )
    case 'object':
    case 'strict_object':
      return objectText(entries, side, naming)
    case 'loose_object':
      return `${objectText(entries, side, naming)} & { [key: string]: unknown }`
    case 'lazy':
      return naming.nameOfEntries(getter?.(undefined).entries, side) ?? of(getter?.(undefined))
    default:
      throw new Error(`No TypeScript type is known for the schema "${type}".`)
  }
}

export const typeText = (schema: Schema, side: Side, naming: Naming): string =>
  naming.nameOf(schema, side) ?? unnamedText(schema, side, naming)

/** The same for the declaration of a name, which would otherwise refer to itself. */
export const declaredText = unnamedText

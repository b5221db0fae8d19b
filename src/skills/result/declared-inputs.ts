/** The inputs that a skill's contract declares, read from the caller's own arguments. */
import type { SkillContract, SkillInputType } from '../../contracts/skill-json.ts'

export type InputValue = string | number
export type ReadInputs = { ok: true; inputs: Record<string, InputValue> } | { ok: false; reason: string }

const INTEGER = /^-?\d+$/
const RANGE = /^integer\[(-?\d+),(-?\d+)\]$/

const flagOf = (name: string) =>
  `--${name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase()}`

const isFlag = (token: string) => token.startsWith('--')

interface Given {
  /** By flag; the last one wins. */
  named: Map<string, string>
  positionals: string[]
}

const sortTokens = (args: readonly string[], flags: ReadonlyMap<string, string>): Given => {
  const given: Given = { named: new Map(), positionals: [] }
  for (let at = 0; at < args.length; at++) {
    const token = args[at] ?? ''
    if (token === '--') {
      given.positionals.push(...args.slice(at + 1))
      break
    }
    if (!isFlag(token)) {
      given.positionals.push(token)
      continue
    }
    const equals = token.indexOf('=')
    const name = flags.get(equals < 0 ? token : token.slice(0, equals))
    const next = args[at + 1]
    if (name !== undefined && equals >= 0) given.named.set(name, token.slice(equals + 1))
    else if (name !== undefined && next !== undefined && !isFlag(next)) {
      given.named.set(name, next)
      at += 1
    }
  }
  return given
}

const typed = (value: string, type: SkillInputType): InputValue | undefined => {
  if (type === 'string') return value
  const number = Number(value)
  if (!INTEGER.test(value) || !Number.isSafeInteger(number)) return undefined
  const range = RANGE.exec(type)
  return range && (number < Number(range[1]) || number > Number(range[2])) ? undefined : number
}

/** Inputs that no flag gives are the last positionals, in the order of their names. */
export const readInputs = (declared: SkillContract['inputs'], args: readonly string[]): ReadInputs => {
  const names = Object.keys(declared).sort()
  const { named, positionals } = sortTokens(args, new Map(names.map(name => [flagOf(name), name])))
  const unnamed = names.filter(name => !named.has(name))
  if (unnamed.length > positionals.length)
    return { ok: false, reason: `the caller gave no value for ${unnamed.join(', ')}` }
  const trailing = positionals.slice(positionals.length - unnamed.length)
  const inputs: Record<string, InputValue> = {}
  for (const name of names) {
    const type = declared[name] ?? 'string'
    const text = named.get(name) ?? trailing[unnamed.indexOf(name)] ?? ''
    const value = typed(text, type)
    if (value === undefined) return { ok: false, reason: `${name} is ${JSON.stringify(text)}, not ${type}` }
    Object.defineProperty(inputs, name, { value, enumerable: true })
  }
  return { ok: true, inputs }
}

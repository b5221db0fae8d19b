/** Declared verification: whether what the skill saw at the end proves what its contract promises for these inputs. */
import type { VerificationVerdict } from '../../../contracts/events/skill-run.ts'
import type { SkillContract, SkillInputType } from '../../../contracts/skills/skill-json.ts'
import type { SkillResult } from '../../../contracts/skills/skill-result.ts'

type InputValue = string | number
type ReadInputs = { ok: true; inputs: Record<string, InputValue> } | { ok: false; reason: string }

const INTEGER = /^-?\d+$/
const RANGE = /^integer\[(-?\d+),(-?\d+)\]$/

export const flagOf = (name: string) =>
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
  const sorted: Given = { named: new Map(), positionals: [] }
  for (let at = 0; at < args.length; at++) {
    const token = args[at] ?? ''
    if (token === '--') {
      sorted.positionals.push(...args.slice(at + 1))
      break
    }
    if (!isFlag(token)) {
      sorted.positionals.push(token)
      continue
    }
    const equals = token.indexOf('=')
    const name = flags.get(equals < 0 ? token : token.slice(0, equals))
    const next = args[at + 1]
    if (name !== undefined && equals >= 0) sorted.named.set(name, token.slice(equals + 1))
    else if (name !== undefined && next !== undefined && !isFlag(next)) {
      sorted.named.set(name, next)
      at += 1
    }
  }
  return sorted
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

interface Verified {
  verdict: VerificationVerdict
  /** The missing proof; absent when the claim is proved. */
  reason?: string
}

interface Claim {
  contract: SkillContract | undefined
  /** The caller's own arguments, without the device. */
  args: readonly string[]
  /** Null when the skill framed none. */
  skillResult: SkillResult | null
}

const PLACEHOLDER = /\{([^{}]+)\}/g
const NO_LETTER_OR_DIGIT = /^[^\p{L}\p{N}]*$/u

const collapsed = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Substituted once: a value that looks like a placeholder stays as it is. Undefined when a name has no value. */
const render = (matcher: string, inputs: Record<string, InputValue>): string | undefined => {
  let complete = true
  const text = matcher.replace(PLACEHOLDER, (_, name: string) => {
    if (!Object.hasOwn(inputs, name)) complete = false
    return String(inputs[name])
  })
  return complete ? text : undefined
}

const matches = (observed: string, expected: string) => {
  const [seen, wanted] = [collapsed(observed), collapsed(expected)]
  return wanted !== '' && seen.startsWith(wanted) && NO_LETTER_OR_DIGIT.test(seen.slice(wanted.length))
}

const areEqual = (inputs: Record<string, InputValue>, reported: Record<string, unknown>) => {
  const names = Object.keys(inputs)
  return names.length === Object.keys(reported).length && names.every(name => inputs[name] === reported[name])
}

/** The fault that keeps the claim from being proved; undefined when there is none. */
const gapIn = (contract: SkillContract, matcher: string, args: readonly string[], result: SkillResult) => {
  const read = readInputs(contract.inputs, args)
  if (!read.ok) return read.reason
  if (result.status !== 'success') return `the skill reports ${result.status}`
  if (!areEqual(read.inputs, result.inputs ?? {})) return 'skillResult.inputs are not what the caller asked for'
  const { terminalVerification: seen } = result
  if (seen?.status !== 'verified') return `terminalVerification.status is ${seen?.status ?? 'missing'}, not verified`
  if (seen.observed?.kind !== 'text') return 'terminalVerification.observed is not of kind text'
  const expected = render(matcher, read.inputs)
  if (expected === undefined) return 'the matcher of the contract names an input that is not declared'
  if (!matches(seen.observed.text, expected))
    return `observed ${JSON.stringify(seen.observed.text)}, expected ${JSON.stringify(expected)}`
  return undefined
}

export const verifyClaim = ({ contract, args, skillResult }: Claim): Verified => {
  if (!contract?.verification) return { verdict: 'undeclared' }
  if (!skillResult) return { verdict: 'unproved', reason: 'the skill ended without a result' }
  if (skillResult.status === 'failed') return { verdict: 'domain-failed' }
  const reason = gapIn(contract, contract.verification.matcher, args, skillResult)
  return reason === undefined ? { verdict: 'proved' } : { verdict: 'unproved', reason }
}

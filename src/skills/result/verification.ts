/** Declared verification: whether what the skill saw at the end proves what its contract promises for these inputs. */
import type { VerificationVerdict } from '../../contracts/events/skill-run.ts'
import type { SkillContract } from '../../contracts/skill-json.ts'
import type { SkillResult } from '../../contracts/skill-result.ts'
import { type InputValue, readInputs } from './declared-inputs.ts'

export interface Verified {
  verdict: VerificationVerdict
  /** The missing proof; absent when the claim is proved. */
  reason?: string
}

export interface Claim {
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

/** Defines the result of waiting for an envelope: a whole one, or a damaged one and the reason. */
import * as v from 'valibot'
import { isNestedDeeper } from '../../contracts/json.ts'
import { WireEnvelope } from '../../contracts/operator.ts'
import type { Awaited } from './request.ts'

/** No operator nests its data so deeply. */
const WIRE_LEVELS_MAX = 200

export interface Malformed {
  kind: 'malformed'
  /** One clause without a full stop. */
  reason: string
  /** Indexes of the chunks that never came; empty when the result did not come in chunks. */
  missing: readonly number[]
}

export type WireResult = { kind: 'envelope'; envelope: WireEnvelope } | Malformed

export const malformed = (reason: string, missing: readonly number[] = []): Malformed => ({
  kind: 'malformed',
  reason,
  missing,
})

export const isFor = (value: unknown, { wireId, nonce }: Awaited): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'commandId' in value &&
  value.commandId === wireId &&
  'nonce' in value &&
  value.nonce === nonce

export const parseJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Checked before a value is parsed: reading data as text, and writing the envelope down, recurse. */
export const isTooDeep = (value: unknown): boolean => isNestedDeeper(value, WIRE_LEVELS_MAX)

/** Reads a value that is known to answer the awaited request. */
export const wireResultOf = (value: unknown): WireResult => {
  if (isTooDeep(value)) return malformed(`the envelope is nested deeper than ${WIRE_LEVELS_MAX} levels`)
  const parsed = v.safeParse(WireEnvelope, value, { abortEarly: true })
  if (parsed.success) return { kind: 'envelope', envelope: parsed.output }
  const [issue] = parsed.issues
  return malformed(
    `the envelope is not of the documented shape (${v.getDotPath(issue) ?? 'envelope'}: ${issue.message})`,
  )
}

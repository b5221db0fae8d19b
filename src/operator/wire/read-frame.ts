/** Reads a frame from the operator: a greeting, the result of a waiting request, or nothing. */
import * as v from 'valibot'
import { OperatorFrame } from '../../contracts/operator.ts'
import type { Awaited } from './request.ts'
import { isFor, isTooDeep, malformed, parseJson, type WireResult, wireResultOf } from './wire-result.ts'

export type Frame =
  | { kind: 'hello'; protocol: number; package: string }
  | { kind: 'result'; wireId: string; verdict: WireResult }

const envelopeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'result' && 'envelope' in value
    ? value.envelope
    : undefined

/** Undefined for a frame that nobody here waits for, such as the late result of an execution that is over. */
export const readFrame = (text: string, waiting: readonly Awaited[]): Frame | undefined => {
  const json = parseJson(text)
  if (!json) {
    const wait = waiting.find(({ wireId, nonce }) => text.includes(wireId) && text.includes(nonce))
    return (
      wait && { kind: 'result', wireId: wait.wireId, verdict: malformed('a frame with the result is not valid JSON') }
    )
  }
  const envelope = envelopeOf(json.value)
  const wait = waiting.find(awaited => isFor(envelope, awaited))
  if (wait) return { kind: 'result', wireId: wait.wireId, verdict: wireResultOf(envelope) }
  if (isTooDeep(json.value)) return undefined
  const frame = v.safeParse(OperatorFrame, json.value)
  return frame.success && frame.output.type === 'hello'
    ? { kind: 'hello', protocol: frame.output.protocol, package: frame.output.package }
    : undefined
}

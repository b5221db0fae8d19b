/**
 * Messages of an operator: the envelope that answers a request, whole or damaged, and the frames of a session socket
 * (a 4-byte big-endian length, then that many bytes of JSON).
 */
import * as v from 'valibot'
import {
  OPERATOR_CAPABILITIES,
  type OperatorCapability,
  OperatorFrame,
  WireEnvelope,
} from '../../../../contracts/device/operator.ts'
import { isNestedDeeper } from '../../../../contracts/json/json.ts'
import { ENVELOPE_BYTES_MAX, SOCKET_FRAME_HEADER_BYTES } from '../../../../contracts/limits/limits.ts'
import type { Outcome } from '../../../../contracts/outcome.ts'
import { growingBuffer } from '../../../link/buffers.ts'
import type { Awaited } from '../segment-request.ts'

/** No operator nests its data so deeply. */
export const WIRE_LEVELS_MAX = 200

interface Malformed {
  code: 'RESULT_ENVELOPE_MALFORMED'
  /** One clause without a full stop. */
  reason: string
  /** Indexes of the chunks that never came; empty when the result did not come in chunks. */
  missing: readonly number[]
}

export type WireResult = Outcome<{ envelope: WireEnvelope }, never, Malformed>

export const malformed = (reason: string, missing: readonly number[] = []): Exclude<WireResult, { kind: 'done' }> => ({
  kind: 'unknown',
  code: 'RESULT_ENVELOPE_MALFORMED',
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
  if (parsed.success) return { kind: 'done', envelope: parsed.output }
  const [issue] = parsed.issues
  return malformed(
    `the envelope is not of the documented shape (${v.getDotPath(issue) ?? 'envelope'}: ${issue.message})`,
  )
}

export const encodeFrame = (value: unknown): Uint8Array => {
  const json = JSON.stringify(value)
  const length = Buffer.byteLength(json)
  const frame = Buffer.allocUnsafe(SOCKET_FRAME_HEADER_BYTES + length)
  frame.writeUInt32BE(length)
  frame.write(json, SOCKET_FRAME_HEADER_BYTES)
  return frame
}

export const frameCutter = (bytesMax = ENVELOPE_BYTES_MAX) => {
  const held = growingBuffer()
  let length: number | undefined
  return {
    /** Throws RangeError at a frame that is longer than allowed; nothing after it can be understood. */
    push(bytes: Uint8Array): string[] {
      const frames: string[] = []
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      for (let start = 0; ; ) {
        const need = length ?? SOCKET_FRAME_HEADER_BYTES
        const stop = Math.min(chunk.length, start + need - held.size())
        const piece = chunk.subarray(start, stop)
        start = stop
        // Most frames come in one piece, and are read where they are.
        const isWhole = piece.length === need
        if (!isWhole) held.append(piece)
        if (!isWhole && held.size() < need) return frames
        const complete = isWhole ? piece : held.take()
        if (length === undefined) {
          length = complete.readUInt32BE()
          if (length > bytesMax) throw new RangeError(`a frame of ${length} bytes is longer than ${bytesMax} bytes`)
        } else {
          frames.push(complete.toString('utf8'))
          length = undefined
        }
      }
    },
    /** True when a stream that ends now ends inside a frame. */
    isInside: () => length !== undefined || held.size() > 0,
  }
}

type Frame =
  | { kind: 'hello'; protocol: number; package: string; capabilities: readonly OperatorCapability[] }
  | { kind: 'result'; wireId: string; result: WireResult }
  | { kind: 'progress'; wireId: string; step: number; success: boolean }
  /** Answers a question about a request: it runs or waits there, or the app does not know it. */
  | { kind: 'running'; wireId: string; step: number }
  | { kind: 'unknown'; wireId: string }

const envelopeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'result' && 'envelope' in value
    ? value.envelope
    : undefined

/** Reads a frame that is no result of a request that is waited for. */
const readShortFrame = (value: unknown, waiting: readonly Awaited[]): Frame | undefined => {
  if (isTooDeep(value)) return undefined
  const parsed = v.safeParse(OperatorFrame, value, { abortEarly: true })
  if (!parsed.success) return undefined
  const frame = parsed.output
  switch (frame.type) {
    case 'hello': {
      const capabilities = OPERATOR_CAPABILITIES.filter(capability => frame.capabilities?.includes(capability))
      return { kind: 'hello', protocol: frame.protocol, package: frame.package, capabilities }
    }
    case 'progress':
      if (!waiting.some(awaited => isFor(frame, awaited))) return undefined
      return { kind: 'progress', wireId: frame.commandId, step: frame.step, success: frame.success }
    case 'running':
    case 'unknown':
      if (!waiting.some(({ wireId }) => wireId === frame.commandId)) return undefined
      return frame.type === 'running'
        ? { kind: 'running', wireId: frame.commandId, step: frame.step }
        : { kind: 'unknown', wireId: frame.commandId }
    case 'result':
      return undefined
  }
}

/** Undefined for a frame that nobody here waits for, such as the late result of an execution that is over. */
export const readFrame = (text: string, waiting: readonly Awaited[]): Frame | undefined => {
  const json = parseJson(text)
  if (!json) {
    // A damaged frame without an envelope, such as one of progress, is not the result.
    const wait = text.includes('"envelope"')
      ? waiting.find(({ wireId, nonce }) => text.includes(wireId) && text.includes(nonce))
      : undefined
    return (
      wait && { kind: 'result', wireId: wait.wireId, result: malformed('a frame with the result is not valid JSON') }
    )
  }
  const envelope = envelopeOf(json.value)
  const wait = waiting.find(awaited => isFor(envelope, awaited))
  if (wait) return { kind: 'result', wireId: wait.wireId, result: wireResultOf(envelope) }
  return readShortFrame(json.value, waiting)
}

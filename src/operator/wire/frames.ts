/** Frames of a session socket: a 4-byte big-endian length, then that many bytes of JSON. */

import * as v from 'valibot'
import { growingBuffer } from '../../adb/growing-buffer.ts'
import { ENVELOPE_BYTES_MAX, SOCKET_FRAME_HEADER_BYTES } from '../../contracts/limits.ts'
import { OperatorFrame } from '../../contracts/operator.ts'
import type { Awaited } from './request.ts'
import { isFor, isTooDeep, malformed, parseJson, type WireResult, wireResultOf } from './wire-result.ts'

export const encodeFrame = (value: unknown): Uint8Array => {
  const json = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(SOCKET_FRAME_HEADER_BYTES)
  header.writeUInt32BE(json.length)
  return Buffer.concat([header, json])
}

export const frameCutter = (bytesMax = ENVELOPE_BYTES_MAX) => {
  const held = growingBuffer()
  let length: number | undefined
  return {
    /** Throws RangeError at a frame that is longer than allowed; nothing after it can be understood. */
    push(bytes: Uint8Array): string[] {
      const frames: string[] = []
      for (let start = 0; ; ) {
        const need = length ?? SOCKET_FRAME_HEADER_BYTES
        const stop = Math.min(bytes.length, start + need - held.size())
        held.append(bytes.subarray(start, stop))
        start = stop
        if (held.size() < need) return frames
        const complete = held.take()
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

export type Frame =
  | { kind: 'hello'; protocol: number; package: string }
  | { kind: 'result'; wireId: string; result: WireResult }

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
      wait && { kind: 'result', wireId: wait.wireId, result: malformed('a frame with the result is not valid JSON') }
    )
  }
  const envelope = envelopeOf(json.value)
  const wait = waiting.find(awaited => isFor(envelope, awaited))
  if (wait) return { kind: 'result', wireId: wait.wireId, result: wireResultOf(envelope) }
  if (isTooDeep(json.value)) return undefined
  const frame = v.safeParse(OperatorFrame, json.value)
  return frame.success && frame.output.type === 'hello'
    ? { kind: 'hello', protocol: frame.output.protocol, package: frame.output.package }
    : undefined
}

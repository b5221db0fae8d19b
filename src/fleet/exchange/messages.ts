/** The messages of the exchange: a head as JSON with its length before it, then bytes. What does not fit is none. */
import * as v from 'valibot'
import { parsedJson } from '../../contracts/json/json.ts'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import { ANSWER_BYTES_MAX, HEAD_BYTES_MAX, PART_BYTES, PARTS_MAX } from './limits.ts'
import { AnswerHead, InstanceId, Progress, RequestHead, RequestId } from './request.ts'

const PART_BYTES_MIN = ANSWER_BYTES_MAX / PARTS_MAX

const kind = <const K extends string>(name: K) => v.literal(name)

/** Names a request, and when its asker stops waiting (epoch ms, by the clock of the host). */
const about = { id: RequestId, instance: InstanceId, until: count }

/** From the asker to the host. */
export const ToHost = v.variant('kind', [
  /** Its bytes are the body. */
  openObject({ kind: kind('ask'), until: count, request: RequestHead }),
  /** Asks for the state of a request. `cancel`: nobody wants it any more; if not yet taken, it never will be. */
  openObject({ kind: kind('look'), ...about, cancel: v.boolean() }),
  openObject({ kind: kind('fetch'), ...about, part: count }),
  /** The answer is there in full. */
  openObject({ kind: kind('done'), ...about }),
])
export type ToHost = v.InferOutput<typeof ToHost>

/** Why a host takes a request not now and not later; `full` says nothing about later. */
export const Refusal = v.picklist(['instance', 'leaving', 'late', 'cancelled', 'full'])
export type Refusal = v.InferOutput<typeof Refusal>

/** From the host to the asker. */
export const ToAsker = v.variant('kind', [
  openObject({ kind: kind('taken'), progress: v.exactOptional(Progress) }),
  /** `now` of one that is late: the time by the clock that has judged it. Hosts of earlier versions leave it out. */
  openObject({ kind: kind('refused'), why: Refusal, instance: InstanceId, now: v.exactOptional(count) }),
  /** Its bytes are the first part of the body, or all of it. */
  openObject({
    kind: kind('answer'),
    answer: AnswerHead,
    bytes: v.pipe(count, v.maxValue(ANSWER_BYTES_MAX)),
    partBytes: v.pipe(count, v.minValue(PART_BYTES_MIN), v.maxValue(PART_BYTES)),
  }),
  openObject({ kind: kind('part'), part: count }),
  /** There was an answer, and it is not kept any more. */
  openObject({ kind: kind('gone') }),
  /** This process does not know the request. */
  openObject({ kind: kind('unknown') }),
])
export type ToAsker = v.InferOutput<typeof ToAsker>

export type Framed<Head> = { head: Head; bytes: Uint8Array }

const LENGTH_BYTES = 4
/** The numbers in a head may be this much longer than those it was measured with. */
const SPARE_BYTES = 256

/** How much of a body fits into a message of that size, beside a head of about that size. */
export const partBytesFor = (maxPayload: number, headBytes: number): number =>
  Math.max(PART_BYTES_MIN, Math.min(PART_BYTES, maxPayload - headBytes - SPARE_BYTES))

export const frame = (head: ToHost | ToAsker, bytes: Uint8Array = new Uint8Array()): Uint8Array => {
  const text = Buffer.from(JSON.stringify(head))
  const framed = Buffer.allocUnsafe(LENGTH_BYTES + text.length + bytes.length)
  framed.writeUInt32BE(text.length, 0)
  framed.set(text, LENGTH_BYTES)
  framed.set(bytes, LENGTH_BYTES + text.length)
  return framed
}

/** The bytes are a view of what came in: who keeps them copies them. */
const unframe = <S extends v.GenericSchema>(schema: S, data: Uint8Array): Framed<v.InferOutput<S>> | undefined => {
  const packet = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (packet.length < LENGTH_BYTES) return undefined
  const length = packet.readUInt32BE(0)
  if (length > HEAD_BYTES_MAX || length > packet.length - LENGTH_BYTES) return undefined
  const checked = v.safeParse(schema, parsedJson(packet.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + length)))
  return checked.success ? { head: checked.output, bytes: packet.subarray(LENGTH_BYTES + length) } : undefined
}

export const toHostIn = (data: Uint8Array) => unframe(ToHost, data)
export const toAskerIn = (data: Uint8Array) => unframe(ToAsker, data)

/** Speaks the protocol of the snapshot helper: one line out, header lines and perhaps XML back. */

import { randomBytes } from 'node:crypto'
import { HELPER_HEADER_BYTES_MAX, HELPER_XML_BYTES_MAX } from '../../../contracts/limits/limits.ts'
import type { Outcome } from '../../../contracts/outcome.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { bounded } from '../../link/bounded.ts'
import { growingBuffer } from '../../link/buffers.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'

const HELPER_PROTOCOL = 'android-snapshot-helper-v1'
const HELPER_API_VERSION = '2'

type HelperCommand = 'snapshot' | 'gesture' | 'quit'

export interface HelperRequest {
  command: HelperCommand
  id: string
  /** Base64. */
  payload?: string
}

/** Refused by the helper; or done, with XML when that was asked for. */
type HelperAnswer =
  | { ok: true; fields: ReadonlyMap<string, string>; xml: string }
  | { ok: false; errorType: string; message: string }

/** Thrown when the bytes received are not an answer to the request. */
export class ProtocolError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'ProtocolError'
  }
}

export const requestLine = ({ command, id, payload }: HelperRequest): Buffer =>
  Buffer.from(`${[command, id, ...(payload === undefined ? [] : [payload])].join(' ')}\n`)

const HEADER_END = Buffer.from('\n\n')
const SHOWN_CHARS = 200

const fieldsIn = (header: string): Map<string, string> => {
  const fields = new Map<string, string>()
  for (const line of header.split('\n')) {
    const at = line.indexOf('=')
    const key = line.slice(0, at)
    if (at <= 0 || fields.has(key))
      throw new ProtocolError(`the header line ${JSON.stringify(line.slice(0, SHOWN_CHARS))}`)
    fields.set(key, line.slice(at + 1))
  }
  return fields
}

const lengthIn = (fields: ReadonlyMap<string, string>): number => {
  const digits = fields.get('byteLength') ?? ''
  const length = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN
  if (!(length <= HELPER_XML_BYTES_MAX))
    throw new ProtocolError(`the length ${JSON.stringify(digits.slice(0, SHOWN_CHARS))}`)
  return length
}

/** Keys come in any order; others than these may be among them. */
const headOf = (header: string, { command, id }: HelperRequest) => {
  const fields = fieldsIn(header)
  const wrong = [
    ['agentDeviceProtocol', HELPER_PROTOCOL],
    ['helperApiVersion', HELPER_API_VERSION],
    ['requestId', id],
  ].find(([key = '', value]) => fields.get(key) !== value)
  if (wrong)
    throw new ProtocolError(`${wrong[0]} is ${JSON.stringify(fields.get(wrong[0] ?? '')?.slice(0, SHOWN_CHARS))}`)
  const ok = fields.get('ok')
  if (ok !== 'true' && ok !== 'false') throw new ProtocolError('it does not say whether it is ok')
  return { fields, ok: ok === 'true', bodyBytes: ok === 'true' && command === 'snapshot' ? lengthIn(fields) : 0 }
}

const NEWLINE = 0x0a

/** Bytes are joined before they are decoded: a character may come in two pieces. */
export const answerReader = (request: HelperRequest) => {
  const held = growingBuffer()
  let head: ReturnType<typeof headOf> | undefined
  let endsLine = false

  /** How much of the piece still belongs to the header, the empty line at its end included; -1 for all of it. */
  const headIn = (piece: Buffer): number => {
    if (endsLine && piece[0] === NEWLINE) return 1
    endsLine = piece.at(-1) === NEWLINE
    const end = piece.indexOf(HEADER_END)
    return end < 0 ? -1 : end + HEADER_END.length
  }

  const takeHead = (piece: Buffer) => {
    const end = headIn(piece)
    held.append(end < 0 ? piece : piece.subarray(0, end))
    if (held.size() > HELPER_HEADER_BYTES_MAX) {
      throw new ProtocolError(`more than ${HELPER_HEADER_BYTES_MAX} bytes of header`)
    }
    if (end < 0) return
    head = headOf(held.take().toString('utf8').trimEnd(), request)
    held.append(piece.subarray(end))
  }

  return {
    /** The answer once it is whole. Throws ProtocolError. */
    push(bytes: Uint8Array): HelperAnswer | undefined {
      if (bytes.length === 0) return undefined
      if (head) held.append(bytes)
      else takeHead(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      if (!head || held.size() < head.bodyBytes) return undefined
      if (held.size() > head.bodyBytes) throw new ProtocolError(`${held.size()} bytes instead of ${head.bodyBytes}`)
      const { fields, ok } = head
      if (ok) return { ok, fields, xml: held.take().toString('utf8') }
      return { ok, errorType: fields.get('errorType') ?? '', message: fields.get('message') ?? 'no reason given' }
    },
  }
}

export type HelperReply = Outcome<{ answer: HelperAnswer }, { reason: string }>

interface HelperExchange {
  link: Link
  clock: Clock
  port: number
  command: HelperCommand
  payload?: string
}

const ID_BYTES = 8

const answerOver = async (
  { link, port, command, payload }: HelperExchange,
  options: CallOptions,
  stop: AbortSignal,
): Promise<HelperReply> => {
  const socket = await link.socket(`tcp:${port}`, { ...options, signal: stop }).catch((error: unknown) => {
    if (error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED') return undefined
    throw error
  })
  if (!socket) return { kind: 'not sent', reason: 'the helper started but does not listen' }
  stop.addEventListener('abort', socket.close, { once: true })
  const request = { command, id: randomBytes(ID_BYTES).toString('hex'), ...(payload === undefined ? {} : { payload }) }
  const reader = answerReader(request)
  try {
    // The helper may answer, or end, before the bridge has confirmed the line: the answer is what counts.
    const sent = socket.write(requestLine(request)).catch(() => {})
    for await (const bytes of socket.chunks) {
      const answer = reader.push(bytes)
      if (answer) return { kind: 'done', answer }
    }
    await sent
    return { kind: 'unknown', reason: 'the helper closed the connection without an answer' }
  } catch (error) {
    if (error instanceof ProtocolError)
      return { kind: 'unknown', reason: `the helper sent an answer that cannot be read: ${error.message}` }
    throw error
  } finally {
    socket.close()
  }
}

/** Rejects with LinkError: when the time is over, when the caller leaves, when the link is lost. */
export const requestFromHelper = (question: HelperExchange, options: CallOptions): Promise<HelperReply> => {
  const { clock, link, command } = question
  return bounded({ ...options, clock, what: `${command} by the helper`, lost: link.lost }, stop =>
    answerOver(question, options, stop),
  )
}

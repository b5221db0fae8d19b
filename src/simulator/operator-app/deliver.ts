/** Brings an envelope to the caller, and which steps have ended before it, over their socket while it is open, else as lines of the device log; and damages it as faults say. */
import { createHash } from 'node:crypto'
import {
  CHUNK_PREFIX,
  LOG_TAG,
  PROGRESS_PREFIX,
  RESULT_PREFIX,
  type ResultChunk,
  type WireProgress,
} from '../../contracts/device/operator.ts'
import { CHUNK_BYTES, RESULT_LINE_BYTES } from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { PhoneLog } from '../phone-parts.ts'
import type { FaultKind } from '../scenario/fault.ts'
import type { Address } from './request.ts'
import type { Session } from './session.ts'

type Faulty = ReadonlySet<FaultKind>

/** So that there is a chunk to drop or to repeat, however short the result. */
const FORCED_CHUNKS = 3
const HALF = 0.5

const chunksOf = (bytes: Buffer, { commandId, nonce }: Address, size: number): ResultChunk[] => {
  const count = Math.ceil(bytes.length / size)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return Array.from({ length: count }, (_, index) => ({
    commandId,
    nonce,
    index,
    count,
    byteLength: bytes.length,
    sha256,
    data: bytes.subarray(index * size, (index + 1) * size).toString('base64'),
  }))
}

const lineOf = (chunk: ResultChunk): string => CHUNK_PREFIX + JSON.stringify(chunk)

/** Still says whose it is. */
const cutShort = (json: string, { nonce }: Address, share: number): string =>
  json.slice(0, Math.max(Math.floor(json.length * share), json.indexOf(nonce) + nonce.length + 1))

const withoutHalfItsData = (chunk: ResultChunk): ResultChunk => {
  const data = Buffer.from(chunk.data, 'base64')
  return { ...chunk, data: data.subarray(0, Math.ceil(data.length / 2)).toString('base64') }
}

const chunkLines = (bytes: Buffer, address: Address, faulty: Faulty): string[] => {
  const forced = bytes.length <= RESULT_LINE_BYTES
  const size = forced ? Math.ceil(bytes.length / FORCED_CHUNKS) : CHUNK_BYTES
  const chunks = chunksOf(bytes, address, size)
  const middle = Math.floor(chunks.length / 2)
  return chunks.flatMap((chunk, index) => {
    if (faulty.has('drop-chunk') && index === middle) return []
    if (faulty.has('repeat-chunk') && index === middle) return [lineOf(chunk), lineOf(chunk)]
    if (faulty.has('truncate') && index === chunks.length - 1) return [lineOf(withoutHalfItsData(chunk))]
    return [lineOf(chunk)]
  })
}

/** The nonce of no request. */
export const FOREIGN_NONCE = '0'.repeat(32)

/** Broken lines, a line of nobody, and a result that somebody else claims to have. */
const garbageFor = ({ commandId, taskId }: Address): string[] => [
  'E/libc: access denied finding property "ro.hardware"',
  `${RESULT_PREFIX}{"commandId":`,
  `${CHUNK_PREFIX}not a chunk`,
  `${CHUNK_PREFIX}{"commandId":"${commandId}","index":-1}`,
  RESULT_PREFIX +
    JSON.stringify({ commandId, taskId, nonce: FOREIGN_NONCE, status: 'success', stepResults: [], error: null }),
]

const resultLines = (json: string, address: Address, faulty: Faulty): string[] => {
  const bytes = Buffer.from(json)
  const inChunks = bytes.length > RESULT_LINE_BYTES || faulty.has('drop-chunk') || faulty.has('repeat-chunk')
  const whole = faulty.has('truncate') ? cutShort(json, address, HALF) : json
  const lines = inChunks ? chunkLines(bytes, address, faulty) : [RESULT_PREFIX + whole]
  return faulty.has('garbage') ? [...garbageFor(address), ...lines] : lines
}

/** The same faults where there are no lines: what is missing is missing in the frame. */
const resultFrames = (json: string, address: Address, faulty: Faulty): string[] => {
  const frame = `{"type":"result","envelope":${json}}`
  const damaged = () => {
    if (faulty.has('truncate')) return cutShort(frame, address, HALF)
    return faulty.has('drop-chunk') ? cutShort(frame, address, 1 - 1 / FORCED_CHUNKS) : frame
  }
  const sent = damaged()
  return [...(faulty.has('garbage') ? garbageFor(address) : []), sent, ...(faulty.has('repeat-chunk') ? [sent] : [])]
}

/** After so many lines the log gets a moment to be read, so that its buffer does not drop any. */
export interface Pace {
  lines: number
  ms: number
}
export const DEFAULT_PACE: Pace = { lines: 16, ms: 2 }

export interface Delivery {
  address: Address
  /** The envelope. */
  json: string
  faulty: ReadonlySet<FaultKind>
  /** Undefined for a request that came as a broadcast. */
  session: Session | undefined
}

export const deliver = async (
  { address, json, faulty, session }: Delivery,
  options: { log: PhoneLog; clock: Clock; pace: Pace; signal: AbortSignal },
): Promise<void> => {
  const { log, clock, pace, signal } = options
  if (session?.isOpen()) {
    for (const frame of resultFrames(json, address, faulty)) session.send(frame)
    return
  }
  for (const [index, line] of resultLines(json, address, faulty).entries()) {
    if (index > 0 && index % pace.lines === 0) await pause(clock, pace.ms, signal)
    if (signal.aborted) return
    log.write('I', LOG_TAG, line)
  }
}

export const tellProgress = (progress: WireProgress, session: Session | undefined, log: PhoneLog): void => {
  if (session?.isOpen()) session.send(JSON.stringify({ type: 'progress', ...progress }))
  else log.write('I', LOG_TAG, PROGRESS_PREFIX + JSON.stringify(progress))
}

/** Reads the log lines of one request as strictly as the protocol has them, where a host forgives what harms nobody. */
import { createHash } from 'node:crypto'
import { CHUNK_PREFIX, RESULT_PREFIX, ResultChunk } from '../../../contracts/device/operator.ts'
import { CHUNK_BYTES, RESULT_LINE_BYTES } from '../../../contracts/limits/limits.ts'
import type { Awaited } from '../app/segment-request.ts'
import { isFor, parseJson } from '../app/wire/messages.ts'
import { demand, quoted } from './breach.ts'
import { shaped } from './judge-envelope.ts'

export interface WholeAnswer {
  /** The envelope as it was sent. */
  text: string
  /** 0 for an answer on one line or in one frame. */
  chunks: number
}

/** True for a line that claims to be a result, whatever follows. */
export const isResultLine = (line: string): boolean => line.startsWith('[Svc-Result')

/** The JSON of a line behind its prefix; a Breach when the line is not one of the two forms. */
export const lineContent = (line: string): { prefix: typeof RESULT_PREFIX | typeof CHUNK_PREFIX; value: unknown } => {
  const prefix = ([RESULT_PREFIX, CHUNK_PREFIX] as const).find(one => line.startsWith(one))
  const json = prefix && parseJson(line.slice(prefix.length))
  demand(
    prefix && json,
    `A line of the log that begins as a result is not one: ${quoted(line)}.`,
    `Write ${quoted(RESULT_PREFIX)} or ${quoted(CHUNK_PREFIX)} and one JSON object, and nothing else, on one line of at most 4,000 bytes.`,
  )
  return { prefix, value: json.value }
}

const joined = (chunks: readonly ResultChunk[]): string => {
  const [first] = chunks
  const bytes = Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
  demand(
    bytes.length === first?.byteLength && createHash('sha256').update(bytes).digest('hex') === first.sha256,
    `The joined chunks have ${bytes.length} bytes where ${first?.byteLength} were announced, or another SHA-256 digest.`,
    'Count the bytes of the whole UTF-8 envelope, and take its SHA-256 in lower-case hex.',
  )
  const text = bytes.toString()
  demand(
    Buffer.from(text).equals(bytes),
    'The joined chunks are not UTF-8.',
    'Cut the UTF-8 bytes of the envelope, and encode each piece as base64.',
  )
  return text
}

const takeChunk = (chunks: ResultChunk[], chunk: ResultChunk) => {
  const [first = chunk] = chunks
  demand(
    chunk.index === chunks.length,
    `Chunk ${chunk.index} came where chunk ${chunks.length} of ${first.count} was due.`,
    'Write each chunk once, in the order of its index from 0, and pace them so that the log drops none.',
  )
  const isSame = chunk.count === first.count && chunk.byteLength === first.byteLength && chunk.sha256 === first.sha256
  demand(
    isSame && chunk.index < chunk.count,
    'The chunks of one result announce different results.',
    'Repeat count, byteLength and sha256 in each chunk.',
  )
  const isShort = Buffer.from(chunk.data, 'base64').length <= CHUNK_BYTES
  demand(isShort, `A chunk holds more than ${CHUNK_BYTES} bytes.`, 'Cut the envelope into smaller pieces.')
  chunks.push(chunk)
}

const CHUNK_REMEDY = 'Send {commandId, nonce, index, count, byteLength, sha256, data} in each chunk.'

/** All lines that name the request, in their order: the answers that are whole, however often one came. */
export const answersIn = (lines: readonly string[], awaited: Awaited): WholeAnswer[] => {
  const answers: WholeAnswer[] = []
  let chunks: ResultChunk[] = []
  for (const line of lines) {
    const { prefix, value } = lineContent(line)
    const chunk = prefix === CHUNK_PREFIX ? shaped(ResultChunk, value, 'A chunk', CHUNK_REMEDY) : undefined
    demand(
      isFor(value, awaited),
      `A line names the request with other ids than it has: ${quoted(line)}.`,
      'Copy `commandId` and `nonce` of the request unchanged into each result.',
    )
    if (chunk) {
      takeChunk(chunks, chunk)
      if (chunks.length < chunk.count) continue
      answers.push({ text: joined(chunks), chunks: chunks.length })
      chunks = []
      continue
    }
    const isAlone = chunks.length === 0
    demand(isAlone, 'A result came on one line amid its own chunks.', 'Send each result in one way only.')
    const text = line.slice(RESULT_PREFIX.length)
    const bytes = Buffer.byteLength(text)
    const remedy = `Send what is longer than ${RESULT_LINE_BYTES} bytes in chunks.`
    demand(bytes <= RESULT_LINE_BYTES, `A result of ${bytes} bytes came on one line.`, remedy)
    answers.push({ text, chunks: 0 })
  }
  return answers
}

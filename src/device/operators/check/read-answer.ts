/** Reads the log lines of one request as strictly as the protocol has them, where a host forgives what harms nobody. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { CHUNK_PREFIX, RESULT_PREFIX, ResultChunk } from '../../../contracts/device/operator.ts'
import { CHUNK_BYTES, RESULT_LINE_BYTES } from '../../../contracts/limits/limits.ts'
import type { Awaited } from '../app/segment-request.ts'
import { isFor, parseJson } from '../app/wire/messages.ts'
import { Breach, quoted } from './breach.ts'

export interface WholeAnswer {
  /** The envelope as it was sent. */
  text: string
  /** 0 for an answer on one line or in one frame. */
  chunks: number
}

const PLAIN = /^\[Svc-Result/

/** True for a line that claims to be a result, whatever follows. */
export const isResultLine = (line: string): boolean => PLAIN.test(line)

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Breach(
      'The joined chunks are not UTF-8.',
      'Cut the UTF-8 bytes of the envelope, and encode each piece as base64.',
    )
  }
}

/** The JSON of a line behind its prefix; a Breach when the line is not one of the two forms. */
export const lineContent = (line: string): { prefix: typeof RESULT_PREFIX | typeof CHUNK_PREFIX; value: unknown } => {
  const prefix = ([RESULT_PREFIX, CHUNK_PREFIX] as const).find(one => line.startsWith(one))
  const json = prefix && parseJson(line.slice(prefix.length))
  if (!prefix || !json) {
    throw new Breach(
      `A line of the log that begins as a result is not one: ${quoted(line)}.`,
      `Write ${quoted(RESULT_PREFIX)} or ${quoted(CHUNK_PREFIX)} and one JSON object, and nothing else, on one line of at most 4,000 bytes.`,
    )
  }
  return { prefix, value: json.value }
}

const chunkOf = (value: unknown): ResultChunk => {
  const chunk = v.safeParse(ResultChunk, value, { abortEarly: true })
  if (chunk.success) return chunk.output
  const [issue] = chunk.issues
  throw new Breach(
    `A chunk is not of the documented shape (${v.getDotPath(issue) ?? 'chunk'}: ${issue.message}).`,
    'Send {commandId, nonce, index, count, byteLength, sha256, data} in each chunk.',
  )
}

const joined = (chunks: readonly ResultChunk[]): string => {
  const [first] = chunks
  const bytes = Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
  if (bytes.length !== first?.byteLength || sha256Of(bytes) !== first.sha256) {
    throw new Breach(
      `The joined chunks have ${bytes.length} bytes where ${first?.byteLength} were announced, or another SHA-256 digest.`,
      'Count the bytes of the whole UTF-8 envelope, and take its SHA-256 in lower-case hex.',
    )
  }
  return decoded(bytes)
}

const takeChunk = (chunks: ResultChunk[], chunk: ResultChunk) => {
  const [first = chunk] = chunks
  if (chunk.index !== chunks.length) {
    throw new Breach(
      `Chunk ${chunk.index} came where chunk ${chunks.length} of ${first.count} was due.`,
      'Write each chunk once, in the order of its index from 0, and pace them so that the log drops none.',
    )
  }
  const isSame = chunk.count === first.count && chunk.byteLength === first.byteLength && chunk.sha256 === first.sha256
  if (!isSame || chunk.index >= chunk.count) {
    throw new Breach(
      'The chunks of one result announce different results.',
      'Repeat count, byteLength and sha256 in each chunk.',
    )
  }
  if (Buffer.from(chunk.data, 'base64').length > CHUNK_BYTES) {
    throw new Breach(`A chunk holds more than ${CHUNK_BYTES} bytes.`, 'Cut the envelope into smaller pieces.')
  }
  chunks.push(chunk)
}

/** All lines that name the request, in their order: the answers that are whole, however often one came. */
export const answersIn = (lines: readonly string[], awaited: Awaited): WholeAnswer[] => {
  const answers: WholeAnswer[] = []
  let chunks: ResultChunk[] = []
  for (const line of lines) {
    const { prefix, value } = lineContent(line)
    const chunk = prefix === CHUNK_PREFIX ? chunkOf(value) : undefined
    if (!isFor(value, awaited)) {
      throw new Breach(
        `A line names the request with other ids than it has: ${quoted(line)}.`,
        'Copy `commandId` and `nonce` of the request unchanged into each result.',
      )
    }
    if (chunk) takeChunk(chunks, chunk)
    else if (chunks.length > 0) {
      throw new Breach('A result came on one line amid its own chunks.', 'Send each result in one way only.')
    } else {
      const text = line.slice(RESULT_PREFIX.length)
      const bytes = Buffer.byteLength(text)
      if (bytes > RESULT_LINE_BYTES) {
        throw new Breach(
          `A result of ${bytes} bytes came on one line.`,
          `Send what is longer than ${RESULT_LINE_BYTES} bytes in chunks.`,
        )
      }
      answers.push({ text, chunks: 0 })
    }
    if (chunk && chunks.length === chunk.count) {
      answers.push({ text: joined(chunks), chunks: chunks.length })
      chunks = []
    }
  }
  return answers
}

/** From the bytes of a device log to the results that are awaited: any number at once, from any number of readings of one log. */

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { CHUNK_PREFIX, RESULT_PREFIX, ResultChunk } from '../../../../contracts/device/operator.ts'
import { ENVELOPE_BYTES_MAX } from '../../../../contracts/limits/limits.ts'
import type { Awaited } from '../segment-request.ts'
import { type Line, lineCutter } from './lines.ts'
import { isFor, malformed, parseJson, type WireResult, wireResultOf } from './messages.ts'
import { type OnStepEnd, progressIn } from './progress.ts'

/** Neither is the end: a gap may be filled by reading the log again, and a whole line may follow a damaged one. */
export type AssemblyStep = WireResult | { kind: 'gap' } | { kind: 'damaged' }

interface Assembly {
  /** Undefined for a line that changes nothing, above all for every line that is not for this result. */
  take(line: Line): AssemblyStep | undefined
  /** Chunks are there, and the last one is not among them yet. */
  isComing(): boolean
  /** The result when no more lines will come; undefined when there was no trace of the result. */
  conclude(): WireResult | undefined
}

/** Chunks need not be full, but they may not be so small that counting them fills the memory. */
const CHUNKS_MAX = Math.ceil(ENVELOPE_BYTES_MAX / 256)
/** Indexes that an error names; a result of which more is missing is as good as lost. */
const MISSING_NAMED_MAX = 100

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const createAssembly = (awaited: Awaited, onStepEnd: OnStepEnd | undefined): Assembly => {
  const chunks = new Map<number, Buffer>()
  let whole: Pick<ResultChunk, 'count' | 'byteLength' | 'sha256'> | undefined
  let bytes = 0
  let gapTold = false
  let damage: string | undefined
  let damageTold = false

  const missing = () => {
    const indexes: number[] = []
    for (let index = 0; index < (whole?.count ?? 0) && indexes.length < MISSING_NAMED_MAX; index++) {
      if (!chunks.has(index)) indexes.push(index)
    }
    return indexes
  }

  const damaged = (reason: string, line: Line): AssemblyStep | undefined => {
    if (line.end === 'cut') damage = 'a line of the result is longer than a log line may be'
    else damage = line.end === 'stream' ? 'the log ended inside a line of the result' : reason
    if (line.end === 'stream' || damageTold) return undefined
    damageTold = true
    return { kind: 'damaged' }
  }

  const assembled = (byteLength: number, sha256: string): WireResult => {
    const joined = Buffer.concat([...chunks].sort(([a], [b]) => a - b).map(([, data]) => data))
    if (joined.length !== byteLength) return malformed(`the result has ${joined.length} bytes instead of ${byteLength}`)
    if (digestOf(joined) !== sha256) return malformed('the result has another SHA-256 digest than announced')
    const json = parseJson(textOf(joined) ?? '')
    if (!json) return malformed('the assembled result is not JSON in UTF-8')
    return isFor(json.value, awaited)
      ? wireResultOf(json.value)
      : malformed('the assembled result names another request')
  }

  const takeChunk = ({ index, count, byteLength, sha256, data }: ResultChunk): AssemblyStep | undefined => {
    whole ??= { count, byteLength, sha256 }
    if (whole.count !== count || whole.byteLength !== byteLength || whole.sha256 !== sha256) {
      return malformed('the chunks of the result announce different results', missing())
    }
    if (count > CHUNKS_MAX || index >= count) {
      return malformed(`chunk ${index} of ${count} is out of range`, count > CHUNKS_MAX ? [] : missing())
    }
    const content = Buffer.from(data, 'base64')
    const known = chunks.get(index)
    if (known) return known.equals(content) ? undefined : malformed(`chunk ${index} came with different contents`)
    chunks.set(index, content)
    bytes += content.length
    if (bytes > byteLength) return malformed(`the result has more than ${byteLength} bytes`, missing())
    if (chunks.size === count) return assembled(byteLength, sha256)
    if (gapTold || !chunks.has(count - 1)) return undefined
    gapTold = true
    return { kind: 'gap' }
  }

  const isMine = (text: string) => text.includes(awaited.nonce) && text.includes(awaited.wireId)

  return {
    take(line) {
      const prefix = [RESULT_PREFIX, CHUNK_PREFIX].find(start => line.text.startsWith(start))
      if (prefix === undefined && onStepEnd) {
        const end = progressIn(line.text, awaited)
        if (end) onStepEnd(end)
      }
      if (prefix === undefined || !isMine(line.text)) return undefined
      const json = parseJson(line.text.slice(prefix.length))
      if (!json) return damaged('a line of the result is not valid JSON', line)
      if (!isFor(json.value, awaited)) return undefined
      if (prefix === RESULT_PREFIX) {
        const result = wireResultOf(json.value)
        return result.kind === 'unknown' ? damaged(result.reason, line) : result
      }
      const chunk = v.safeParse(ResultChunk, json.value, { abortEarly: true })
      if (chunk.success) return takeChunk(chunk.output)
      return damaged(`a chunk of the result is not of the documented shape (${v.getDotPath(chunk.issues[0])})`, line)
    },
    isComing: () => whole !== undefined && !chunks.has(whole.count - 1),
    conclude() {
      if (chunks.size > 0) return malformed(damage ?? 'chunks of the result are missing', missing())
      return damage === undefined ? undefined : malformed(damage)
    },
  }
}

export interface FoundResult {
  wireId: string
  step: AssemblyStep
}

/** One reading of the log: the live one, or one that looks back. */
export interface LogFeed {
  push(bytes: Uint8Array): FoundResult[]
  /** The reading has ended, perhaps inside a line. */
  end(): FoundResult[]
}

interface Assembler {
  /** `onStepEnd` hears which of its steps have ended, as often as the log tells it. */
  expect(awaited: Awaited, onStepEnd?: OnStepEnd): void
  forget(wireId: string): void
  feed(onLine?: (text: string) => void): LogFeed
  /** Some of its chunks are there, and more may follow. */
  isComing(wireId: string): boolean
  /** Ends a result for which nothing more will be read. */
  conclude(wireId: string): WireResult | undefined
}

export const isWireResult = (step: AssemblyStep): step is WireResult => step.kind === 'done' || step.kind === 'unknown'

/** A result that is whole or damaged is forgotten: whatever else comes for it changes nothing. */
export const createAssembler = (): Assembler => {
  const assemblies = new Map<string, Assembly>()

  const findingsIn = (lines: readonly Line[], onLine?: (text: string) => void): FoundResult[] => {
    const findings: FoundResult[] = []
    for (const line of lines) {
      onLine?.(line.text)
      for (const [wireId, assembly] of assemblies) {
        const step = assembly.take(line)
        if (!step) continue
        if (isWireResult(step)) assemblies.delete(wireId)
        findings.push({ wireId, step })
      }
    }
    return findings
  }

  return {
    expect(awaited, onStepEnd) {
      assemblies.set(awaited.wireId, createAssembly(awaited, onStepEnd))
    },
    forget(wireId) {
      assemblies.delete(wireId)
    },
    feed(onLine) {
      const cutter = lineCutter()
      return {
        push: bytes => findingsIn(cutter.push(bytes), onLine),
        end: () => findingsIn(cutter.end(), onLine),
      }
    },
    isComing: wireId => assemblies.get(wireId)?.isComing() ?? false,
    conclude(wireId) {
      const result = assemblies.get(wireId)?.conclude()
      assemblies.delete(wireId)
      return result
    },
  }
}

/** Reads one input and says how that failed, if it did: an exception, a wrong reading, too long a time, too much memory. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { INPUT_MS_MAX, type OpenTarget, type Reading, type Target } from './target.ts'

export interface Failure {
  kind: 'crash' | 'wrong' | 'slow' | 'memory'
  message: string
  /** The same for two inputs that fail for the same reason, as far as that can be told. */
  signature: string
}

export type GuardedReading = { ok: true; reading: Reading } | { ok: false; failure: Failure }

const MEMORY_BYTES_MAX = 200 * 1_024 * 1_024
/** A machine with other work is slow at times: the best of so many readings counts. */
const TIMES_READ_AGAIN = 4
const MICROS_PER_MS = 1_000
const STACK_LINES = 12
const SIGNATURE_CHARS = 120

const OWN_CODE = /\bat .*?([\w-]+) \(|\bat (?:async )?([\w.<>]+) /

const failureOf = (thrown: unknown): Failure => {
  const error = thrown instanceof Error ? thrown : new Error(`${String(thrown)} was thrown`)
  const [, place = ''] = (error.stack ?? '').split(/\n(?=\s+at )/)
  const where = OWN_CODE.exec(place)?.[0] ?? ''
  const said = error.message.replaceAll(/\d+|"(?:[^"\\]|\\.)*"/g, '*').slice(0, SIGNATURE_CHARS)
  return {
    kind: error.name === 'WrongReading' ? 'wrong' : 'crash',
    message: (error.stack ?? error.message).split('\n').slice(0, STACK_LINES).join('\n'),
    signature: `${error.name}: ${said} ${error.name === 'WrongReading' ? '' : where}`,
  }
}

const unhandled: unknown[] = []
let isListening = false

/** Rejections that nobody handles are failures of the input that was read last. */
export const listenForUnhandled = (): void => {
  if (isListening) return
  isListening = true
  process.on('unhandledRejection', reason => void unhandled.push(reason))
  process.on('uncaughtException', error => void unhandled.push(error))
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / MICROS_PER_MS
}

interface Measured {
  reading: GuardedReading
  ms: number
  memory: number
}

const measured = async (opened: OpenTarget, input: Buffer): Promise<Measured> => {
  const before = { ms: cpuMs(), memory: process.memoryUsage.rss() }
  let reading: GuardedReading
  try {
    const answer = opened.read(input)
    if (answer instanceof Promise) {
      const read = await answer
      await nextTurn()
      reading = { ok: true, reading: read }
    } else reading = { ok: true, reading: answer }
  } catch (thrown) {
    reading = { ok: false, failure: failureOf(thrown) }
  }
  const [stray] = unhandled.splice(0)
  if (stray !== undefined && reading.ok) reading = { ok: false, failure: failureOf(stray) }
  return { reading, ms: cpuMs() - before.ms, memory: process.memoryUsage.rss() - before.memory }
}

const again = async (opened: OpenTarget, input: Buffer, what: 'ms' | 'memory'): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES_READ_AGAIN; time++) {
    globalThis.gc?.()
    least = Math.min(least, (await measured(opened, input))[what])
  }
  return least
}

export const readGuarded = async (
  opened: OpenTarget,
  input: Buffer,
  { msMax = INPUT_MS_MAX }: Pick<Target, 'msMax'> = {},
): Promise<GuardedReading> => {
  const { reading, ms, memory } = await measured(opened, input)
  if (!reading.ok) return reading
  if (ms > msMax) {
    const least = await again(opened, input, 'ms')
    const message = `It took ${Math.round(least)} ms of CPU for ${input.length} bytes.`
    if (least > msMax) return { ok: false, failure: { kind: 'slow', message, signature: 'slow' } }
  }
  if (memory > MEMORY_BYTES_MAX) {
    const least = await again(opened, input, 'memory')
    const message = `It took ${least} bytes of memory for ${input.length} bytes.`
    if (least > MEMORY_BYTES_MAX) return { ok: false, failure: { kind: 'memory', message, signature: 'memory' } }
  }
  return reading
}

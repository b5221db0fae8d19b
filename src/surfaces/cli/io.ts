/** The streams of a command, and `--log-level`: which of the lines for a person are said on stderr. */

import { fstatSync, writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { codeOf } from '../../runtime/message-of.ts'

/** Node takes a while to make each of them, so they are asked for when they are needed. */
export interface Streams {
  stdin(): Readable
  stdout(): Writable & { isTTY?: boolean; columns?: number; rows?: number }
  stderr(): Writable & { isTTY?: boolean; columns?: number }
  /**
   * Called right before each write: aborted by a signal; undefined when from now on a signal just ends the process, so that
   * the write may block it.
   */
  stop(): AbortSignal | undefined
}

const STDOUT = 1
const COLUMNS = 100
/** A terminal that does not tell its size is taken for one of these; Node says 0 then. */
const TERMINAL = { columns: 80, rows: 24 }

/** A reader of `show` that is further behind misses text. */
const SHOWN_BYTES_MAX = 1_024 * 1_024

/** True when the error means that nobody reads any more: a pipe whose reader left, or a terminal that was closed. */
const isReaderGone = (error: unknown): boolean => {
  const code = codeOf(error) ?? ''
  if (code === 'EIO') return fstatSync(STDOUT).isCharacterDevice()
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

/** Returns the bytes left: none, or the rest if the file takes no more now; undefined if the reader has gone. */
const writeDirectly = (bytes: Buffer): Buffer | undefined => {
  let left = bytes
  try {
    while (left.length > 0) left = left.subarray(writeSync(STDOUT, left))
    return left
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return left
    if (isReaderGone(error)) return undefined
    throw error
  }
}

export const createIo = ({ stdin, stdout, stderr, stop }: Streams) => {
  const heard = new Set<Writable>()
  // A stream with no error listener ends the process on EPIPE.
  const heeded = (stream: Writable) => {
    if (!heard.has(stream)) stream.on('error', () => {})
    heard.add(stream)
    return stream
  }
  const writeStream = (bytes: Buffer): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const signal = stop()
      const finish = (isTaken: boolean) => {
        signal?.removeEventListener('abort', leave)
        resolve(isTaken)
      }
      const leave = () => finish(false)
      signal?.addEventListener('abort', leave, { once: true })
      heeded(stdout()).write(bytes, error => {
        if (!error || isReaderGone(error)) finish(!error)
        else {
          signal?.removeEventListener('abort', leave)
          reject(error)
        }
      })
    })
  let missed = 0
  return {
    /**
     * One line or one document to stdout. Resolves when the reader has taken it, so that nothing is cut off at exit, or
     * to false when the reader has gone away (`svc devices | head -1`), which does not fail the command. A signal that
     * comes meanwhile ends the waiting, too. Rejects when it could not be written for another reason, such as a full disk.
     */
    async print(text: string) {
      const bytes = Buffer.from(`${text}\n`)
      const left = stop() === undefined ? writeDirectly(bytes) : bytes
      if (left === undefined) return false
      return left.length === 0 || writeStream(left)
    },
    /** A line for a person, to stderr. */
    note(text: string) {
      heeded(stderr()).write(`${text}\n`)
    },
    /** Passes output of another program to stderr at once. A reader that stalls misses some of it. */
    show(text: string) {
      const stream = heeded(stderr())
      if (stream.writableLength > SHOWN_BYTES_MAX) {
        missed += text.length
        return
      }
      stream.write(missed === 0 ? text : `\n[svc: ${missed} characters were not shown]\n${text}`)
      missed = 0
    },
    stdin,
    /** True when stdout is a terminal. */
    isTerminal: () => stdout().isTTY === true,
    /** The width of the terminal; 100 when there is none. */
    columns: () => stdout().columns || (stdout().isTTY ? TERMINAL.columns : COLUMNS),
    /** The width of the terminal that stderr is; undefined for anything else. */
    errorColumns(): number | undefined {
      const { isTTY, columns } = stderr()
      return isTTY ? columns || TERMINAL.columns : undefined
    },
    rows: () => stdout().rows || TERMINAL.rows,
    /** Escape sequences and text to a terminal. One that takes no more misses what comes meanwhile. */
    draw(text: string) {
      const stream = heeded(stdout())
      if (!stream.writableNeedDrain) stream.write(text)
    },
  }
}

export type Io = ReturnType<typeof createIo>

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Log = Readonly<Record<LogLevel, (text: string) => void>>

export const DEFAULT_LOG_LEVEL: LogLevel = 'warn'

/** Logs repeat values of the environment and of devices, which must not reach a terminal as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g
const escaped = (text: string): string =>
  text.replace(UNSAFE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const createLog = (least: LogLevel, note: (text: string) => void): Log => {
  const at = (level: LogLevel) => (text: string) => {
    if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)) note(escaped(text))
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

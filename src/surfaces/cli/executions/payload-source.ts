/** Reads the payload of `svc exec` from stdin or from a file. Loaded only then: sockets and streams load slowly. */

import { closeSync, constants, createReadStream, open, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { messageOf } from '../../../runtime/message-of.ts'
import { type CommandContext, CommandError, usage } from '../command.ts'

/** Written with spaces and escapes, a payload may be longer than an execution may be; not by this much. */
const TEXT_BYTES_MAX = 1_024 * 1_024

export interface PayloadSource {
  /** Names the source in messages. */
  what: string
  text: string
}

const interrupted = () =>
  new CommandError('EXECUTION_CANCELLED', 'Interrupted before the payload was read.', {
    details: { dispatched: false },
  })

const tooLarge = (what: string) =>
  new CommandError('PAYLOAD_TOO_LARGE', `${what} is longer than ${TEXT_BYTES_MAX} bytes, the most that is read`, {
    details: { limit: TEXT_BYTES_MAX },
  })

/** Invalid bytes must not turn into question marks that are then typed into a device. */
const decode = (bytes: Uint8Array, what: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CommandError('EXECUTION_VALIDATION_FAILED', `${what} is not UTF-8 text`, {
      hint: 'Save it as UTF-8, the only encoding of JSON.',
    })
  }
}

const readAll = async (stream: Readable, what: string, signal: AbortSignal): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  const leave = () => stream.destroy(interrupted())
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk))
      length += chunk.length
      if (length > TEXT_BYTES_MAX) throw tooLarge(what)
    }
  } finally {
    signal.removeEventListener('abort', leave)
  }
  return decode(Buffer.concat(chunks), what)
}

/** Until a writer lets go of a pipe that is being opened, an interrupt tries again. */
const LET_GO_MS = 20

/** Opening a pipe waits for a writer, on a thread that keeps the process from ending: for a moment, be that writer. */
const letGo = (path: string) => {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  } catch {
    // Nobody waits there yet, or only others may write to it.
  }
}

/** Reads without such a thread: a writer may keep a pipe open for ever. */
const openPipe = async (path: string, signal: AbortSignal): Promise<Readable> => {
  let isOpen = false
  const opened = promisify(open)(path, 'r').finally(() => {
    isOpen = true
  })
  const leave = async () => {
    while (!isOpen) {
      letGo(path)
      await sleep(LET_GO_MS)
    }
  }
  if (signal.aborted) void leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return new Socket({ fd: await opened, readable: true, writable: false })
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

const openFile = async (path: string, signal: AbortSignal): Promise<Readable> =>
  (await stat(path)).isFIFO() ? openPipe(path, signal) : createReadStream(path)

/** Throws CommandError. */
export const readPayloadFile = async (name: string, { cwd, signal }: CommandContext): Promise<PayloadSource> => {
  if (name === '') throw usage('The payload is empty: give JSON, - for stdin, or the name of a file.')
  try {
    return { what: name, text: await readAll(await openFile(resolve(cwd, name), signal), name, signal) }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw usage(`The payload cannot be read: ${messageOf(error)}`, {
      hint: 'JSON begins with {, - means stdin, anything else is the name of a file.',
    })
  }
}

/** Throws CommandError. */
export const readPayloadStdin = async ({ io, signal }: CommandContext): Promise<PayloadSource> => ({
  what: 'stdin',
  text: await readAll(io.stdin(), 'stdin', signal),
})

/** The adb server as a partner: asked for its devices and for connections to them, started when it is not there. */

import { addressText, type ServerAddress } from '../../contracts/device/addresses.ts'
import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { type AdbProgram, createServerStarter } from './adb-program.ts'
import { bounded, onAbort } from './bounded.ts'
import { connectSocket } from './byte-socket.ts'
import { type CallOptions, LinkError, type LinkErrorCode } from './link.ts'
import { type LinkLimits, SERIAL_CHARS_MAX, STATE_CHARS_MAX } from './link-limits.ts'
import { type ServerStream, ServerStreamError, serverStream } from './server-stream.ts'

const SENTENCES: readonly (readonly [RegExp, LinkErrorCode])[] = [
  [/unauthorized|still authorizing|insufficient permissions|no permissions/, 'DEVICE_UNAUTHORIZED'],
  [/offline|still connecting/, 'DEVICE_OFFLINE'],
  [/device.*not found|no device|no transport/, 'DEVICE_NOT_FOUND'],
  [/unknown host service/, 'ADB_SERVER_FAILED'],
]

const hasCode = (error: unknown, ...codes: readonly string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Nobody listens there; a server may be started. */
export const isNobodyThere = (error: unknown): boolean => hasCode(error, 'ECONNREFUSED', 'ENOENT')

/** The server is not an adb server, or it is gone in the middle of its answer. */
const isBroken = (error: unknown) =>
  !(error instanceof Error) || 'code' in error || error instanceof TypeError || error instanceof ServerStreamError

/** The first line is the cause, what follows is advice for people at a terminal. */
const firstLine = (error: unknown) => messageOf(error).slice(0, LINE_CHARS_MAX).split('\n')[0] ?? ''
const LINE_CHARS_MAX = 500

/** Converts a failed request to the server to an error; `otherwise` is the code for words that are not in the table. */
export const serverError = (error: unknown, what: string, otherwise: LinkErrorCode): LinkError => {
  if (error instanceof LinkError) return error
  const sentence = firstLine(error)
  const code = isBroken(error) ? 'ADB_SERVER_FAILED' : SENTENCES.find(([words]) => words.test(sentence))?.[1]
  return new LinkError(code ?? otherwise, `${what}: ${sentence || 'the adb server closed the connection'}`, {
    cause: error,
  })
}

/** `no permissions (user in plugdev group; ...); see [http://...]` is advice behind a state. */
const stateOf = (text: string): string =>
  text
    .slice(0, STATE_CHARS_MAX)
    .replace(/[(;].*$/, '')
    .trim()

/** Anything else could not be named by a caller, and is not a name for a lease. */
const isSerial = (text: string): boolean => text.length <= SERIAL_CHARS_MAX && !/\p{Cc}/u.test(text)

/** The answer to `host:devices`; that of `host:devices-l` has blanks inside its fields and cannot be split safely. */
export const parseDeviceList = (text: string): DeviceRecord[] =>
  text.split('\n').flatMap(line => {
    const tab = line.indexOf('\t')
    const serial = line.slice(0, Math.max(0, tab))
    return serial === '' || !isSerial(serial) ? [] : [{ serial, state: stateOf(line.slice(tab + 1)) }]
  })

interface AdbServerOptions {
  clock: Clock
  address: ServerAddress
  program: AdbProgram
  limits: LinkLimits
}

/** Rejects with what the connection or the server said; `serverError` makes sense of it. */
export type Connect = (request: string, stop: AbortSignal, options?: { idle?: boolean }) => Promise<ServerStream>

export interface AdbServer {
  /** Every device in every state. Always asked: what a server tracks lags behind by up to 10 s. */
  devices(options: CallOptions & { start: boolean }): Promise<DeviceRecord[]>
  /** Runs a conversation with the server, once more after starting it when nobody listened. */
  talk<T>(what: string, conversation: (connect: Connect) => Promise<T>): Promise<T>
  readonly connect: Connect
}

/** Closes the connection when the conversation fails or is stopped. */
export const converse = async <T>(stream: ServerStream, stop: AbortSignal, talk: () => Promise<T>): Promise<T> => {
  const forget = onAbort(stop, stream.close)
  try {
    return await talk()
  } catch (error) {
    stream.close()
    throw stop.aborted ? stop.reason : error
  } finally {
    forget()
  }
}

/** Each request has a connection of its own, which its caller can stop while it is still being made. */
const createConnect = ({ address, clock }: AdbServerOptions): Connect => {
  return async (request, stop, { idle = false } = {}) => {
    if ('unusable' in address) throw new LinkError('ADB_SERVER_FAILED', address.unusable)
    const socket = await connectSocket(address, stop, clock)
    if (idle) socket.unref()
    const stream = serverStream(socket)
    await converse(stream, stop, async () => {
      await stream.writeString(request)
      await stream.readOkay()
    })
    return stream
  }
}

/** Reads the one string that answers a request, and ends the connection. */
export const answerTo = async (connect: Connect, request: string, stop: AbortSignal): Promise<string> => {
  const stream = await connect(request, stop)
  try {
    return await converse(stream, stop, stream.readString)
  } finally {
    stream.close()
  }
}

export const createAdbServer = (options: AdbServerOptions): AdbServer => {
  const { clock, address, limits } = options
  const connect = createConnect(options)
  const start = createServerStarter(options)
  const what = `the adb server at ${addressText(address)}`

  const talk: AdbServer['talk'] = async (question, conversation) => {
    try {
      return await conversation(connect)
    } catch (error) {
      if (!isNobodyThere(error)) throw serverError(error, question, 'ADB_SERVER_FAILED')
    }
    await start()
    return conversation(connect).catch((error: unknown) => {
      throw serverError(error, question, 'ADB_SERVER_FAILED')
    })
  }

  const listing = (mayStart: boolean, stop: AbortSignal): Promise<string> => {
    const ask = (to: Connect) =>
      bounded(
        {
          clock,
          what,
          deadline: clock.now() + limits.serverAnswerMs,
          signal: stop,
          timeout: () => new LinkError('ADB_SERVER_FAILED', `${what} does not answer`),
        },
        until => answerTo(to, 'host:devices', until),
      )
    return mayStart
      ? talk(what, ask)
      : ask(connect).catch((error: unknown) => {
          throw serverError(error, what, 'ADB_SERVER_FAILED')
        })
  }

  return {
    devices: async ({ start: mayStart, ...call }) =>
      parseDeviceList(await bounded({ clock, what, ...call }, stop => listing(mayStart, stop))),
    talk,
    connect,
  }
}

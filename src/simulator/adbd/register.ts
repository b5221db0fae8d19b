/** Makes a simulated device known to a debug bridge server, as an emulator or as a TCP device. */
import { connect, type NetConnectOpts } from 'node:net'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'

export type ServerAddress = { socketPath: string } | { host: string; port: number }

export interface RegisterOptions {
  server: ServerAddress
  clock: Clock
  /** The server waits 10 s for a device that does not answer. */
  timeoutMs?: number
}

export type Registered = { ok: true } | { ok: false; reason: string }

const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 65_536
const hex4 = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, '0')

/** All that the server answers to one request, up to its end. */
const request = (text: string, { server, clock, timeoutMs = TIMEOUT_MS }: RegisterOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const address: NetConnectOpts = 'socketPath' in server ? { path: server.socketPath } : server
    const socket = connect(address)
    let answer = ''
    const timer = clock.at(clock.now() + timeoutMs, () => {
      socket.destroy(new Error(`the debug bridge server gave no answer in ${timeoutMs} ms`))
    })
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(`${hex4(text)}${text}`))
    socket.on('data', (chunk: string) => {
      answer += chunk
      if (answer.length > ANSWER_BYTES_MAX) socket.destroy()
    })
    socket.on('error', error => {
      timer.cancel()
      reject(error)
    })
    socket.on('close', () => {
      timer.cancel()
      resolve(answer)
    })
  })

const attempt = async (
  text: string,
  options: RegisterOptions,
  read: (answer: string) => Registered,
): Promise<Registered> => {
  try {
    return read(await request(text, options))
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}

/** `emulator-<port - 1>`; the server closes without an answer. */
export const registerWithServer = (options: RegisterOptions, adbPort: number): Promise<Registered> =>
  attempt(`host:emulator:${adbPort}`, options, answer =>
    answer.startsWith('FAIL') ? { ok: false, reason: answer.slice('FAIL0000'.length) } : { ok: true },
  )

/** `OKAY`, four hex digits, and a sentence that alone says whether it worked. */
const readSentence =
  (worked: RegExp) =>
  (answer: string): Registered => {
    const sentence = answer.slice('OKAY0000'.length)
    return answer.startsWith('OKAY') && worked.test(sentence)
      ? { ok: true }
      : { ok: false, reason: sentence || 'no answer' }
  }

/** Listed as `host:port`. */
export const connectThroughServer = (options: RegisterOptions, address: string): Promise<Registered> =>
  attempt(`host:connect:${address}`, options, readSentence(/^(?:already )?connected to/))

export const disconnectFromServer = (options: RegisterOptions, address: string): Promise<Registered> =>
  attempt(`host:disconnect:${address}`, options, readSentence(/^disconnected/))

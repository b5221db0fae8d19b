/** Makes simulated devices known to an adb server, as TCP devices or as emulators, and takes them out of its list again. */
import { connect } from 'node:net'
import type { HostPort, ServerAddress } from '../contracts/device/addresses.ts'
import type { Clock } from '../runtime/clock.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { SimulatedPhones } from './simulated-phones.ts'

interface ServerRequest {
  server: { path: string } | HostPort
  clock: Clock
  /** The server waits 10 s for a device that does not answer. */
  timeoutMs?: number
}

type ServerAnswer = { ok: true } | { ok: false; reason: string }

const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 65_536
const hex4 = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, '0')

/** All that the server answers to one request, up to its end. */
const answerTo = (text: string, { server, clock, timeoutMs = TIMEOUT_MS }: ServerRequest): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(server)
    let answer = ''
    const timer = clock.at(clock.now() + timeoutMs, () => {
      socket.destroy(new Error(`the adb server did not answer within ${timeoutMs} ms`))
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

const request = async (
  text: string,
  options: ServerRequest,
  read: (answer: string) => ServerAnswer,
): Promise<ServerAnswer> => {
  try {
    return read(await answerTo(text, options))
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}

/** Listed as `emulator-<port - 1>`; the server closes without an answer. */
export const registerEmulator = (options: ServerRequest, adbPort: number): Promise<ServerAnswer> =>
  request(`host:emulator:${adbPort}`, options, answer =>
    answer.startsWith('FAIL') ? { ok: false, reason: answer.slice('FAIL0000'.length) } : { ok: true },
  )

/** `OKAY`, four hex digits, and a sentence that alone says whether it worked. */
const readSentence =
  (worked: RegExp) =>
  (answer: string): ServerAnswer => {
    const sentence = answer.slice('OKAY0000'.length)
    return answer.startsWith('OKAY') && worked.test(sentence)
      ? { ok: true }
      : { ok: false, reason: sentence || 'no answer' }
  }

/** Listed as `host:port`. */
export const connectThroughServer = (options: ServerRequest, address: string): Promise<ServerAnswer> =>
  request(`host:connect:${address}`, options, readSentence(/^(?:already )?connected to/))

export const disconnectFromServer = (options: ServerRequest, address: string): Promise<ServerAnswer> =>
  request(`host:disconnect:${address}`, options, readSentence(/^disconnected/))

interface AttachOptions {
  fleet: Pick<SimulatedPhones, 'devices'>
  server: ServerAddress
  clock: Clock
}

export interface NotAttached {
  serial: string
  problem: string
}

/** One after the other, as a server takes them; those that it did not take are named with its reason. */
export const attachToServer = async ({ fleet, server, clock }: AttachOptions): Promise<NotAttached[]> => {
  if ('unusable' in server)
    return fleet.devices.map(({ serial }) => ({ serial, problem: 'the address of the adb server is unusable' }))
  const failed: NotAttached[] = []
  for (const { serial } of fleet.devices) {
    const answer = await connectThroughServer({ server, clock }, serial)
    if (!answer.ok) failed.push({ serial, problem: answer.reason })
  }
  return failed
}

export const detachFromServer = async ({ fleet, server, clock }: AttachOptions): Promise<void> => {
  if ('unusable' in server) return
  for (const { serial } of fleet.devices) await disconnectFromServer({ server, clock }, serial)
}

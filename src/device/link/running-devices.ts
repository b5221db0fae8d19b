/** The devices of an adb server that already runs, asked in its own protocol: starts nothing, and loads no debug bridge. */

import { type ServerAddress, serverAddress } from '../../contracts/device/addresses.ts'
import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Environment } from '../../runtime/home.ts'

export interface RunningDevice extends DeviceRecord {
  model?: string
}

export type AdbServerAnswer =
  | { kind: 'devices'; devices: readonly RunningDevice[] }
  /** Nobody listens at its address. */
  | { kind: 'absent' }
  /** Somebody does, and gave no list in time. */
  | { kind: 'silent' }

export interface AskOptions {
  env: Environment
  clock: Clock
  ms: number
}

type Reply = { kind: 'text'; text: string } | Exclude<AdbServerAnswer, { kind: 'devices' }>

const LENGTH_CHARS = 4
const OKAY = 'OKAY'
const NOBODY_THERE = ['ECONNREFUSED', 'ENOENT']

const framed = (request: string): string => request.length.toString(16).padStart(LENGTH_CHARS, '0') + request

/** The text behind `OKAY` and its length; undefined while bytes are missing. */
const textIn = (bytes: Buffer): string | undefined => {
  const start = OKAY.length + LENGTH_CHARS
  const length = Number.parseInt(bytes.toString('latin1', OKAY.length, start), 16)
  const isWhole = bytes.length >= start && bytes.toString('latin1', 0, OKAY.length) === OKAY
  return isWhole && bytes.length >= start + length ? bytes.toString('utf8', start, start + length) : undefined
}

const ask = (address: ServerAddress, request: string, { clock, ms }: AskOptions): Promise<Reply> =>
  new Promise(resolve => {
    if ('unusable' in address) return resolve({ kind: 'absent' })
    const socket = process.getBuiltinModule('node:net').connect(address)
    const chunks: Buffer[] = []
    const finish = (reply: Reply) => {
      timer.cancel()
      socket.destroy()
      resolve(reply)
    }
    const timer = clock.at(clock.now() + ms, () => finish({ kind: 'silent' }))
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      finish({ kind: NOBODY_THERE.includes(code) ? 'absent' : 'silent' }),
    )
    socket.on('close', () => finish({ kind: 'silent' }))
    socket.on('data', chunk => {
      chunks.push(chunk)
      const text = textIn(Buffer.concat(chunks))
      if (text !== undefined) finish({ kind: 'text', text })
    })
    socket.write(framed(request))
  })

/** `no permissions (user in plugdev group; ...)` is advice behind a state. */
const stateOf = (text: string): string => text.replace(/[(;].*$/, '').trim()

/** A long line has blanks inside its fields, so a serial is looked for in it and not read from it. */
const modelOf = (serial: string, lines: readonly string[]): string | undefined =>
  / model:(\S+)/.exec(lines.find(line => line.startsWith(`${serial} `))?.slice(serial.length) ?? '')?.[1]

export const askAdbServer = async (options: AskOptions): Promise<AdbServerAnswer> => {
  const address = serverAddress(options.env)
  const [short, long] = await Promise.all([
    ask(address, 'host:devices', options),
    ask(address, 'host:devices-l', options),
  ])
  if (short.kind !== 'text') return short
  const lines = long.kind === 'text' ? long.text.split('\n') : []
  const devices = short.text.split('\n').flatMap((line): RunningDevice[] => {
    const [serial = '', state] = line.split('\t')
    if (serial === '' || state === undefined) return []
    const model = modelOf(serial, lines)
    return [{ serial, state: stateOf(state), ...(model === undefined ? {} : { model }) }]
  })
  return { kind: 'devices', devices }
}

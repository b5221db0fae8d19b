/** Devices that the adb server reaches over the network: connected, disconnected, paired and discovered by its requests. */
import type {
  ConnectAnswer,
  ConnectProblem,
  Discovered,
  DiscoveredService,
  PairAnswer,
  ServiceKind,
} from '../../contracts/device/wireless.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type AdbServer, answerTo, type Connect, isNobodyThere, parseDeviceList, serverError } from './adb-server.ts'
import { bounded } from './bounded.ts'
import { type CallOptions, LinkError } from './link.ts'
import { NAME_CHARS_MAX, SERIAL_CHARS_MAX } from './link-limits.ts'
import { ServerStreamError } from './server-stream.ts'

export interface Wireless {
  connect(address: string, call: CallOptions): Promise<ConnectAnswer>
  /** The serials that left the server; no server is started for it. */
  disconnect(address: string | undefined, call: CallOptions): Promise<readonly string[]>
  pair(address: string, code: string, call: CallOptions): Promise<PairAnswer>
  discover(call: CallOptions): Promise<Discovered>
}

const SAID_CHARS_MAX = 300

const clean = (text: string, length: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length)

const CONNECT_PROBLEMS: readonly (readonly [RegExp, ConnectProblem])[] = [
  [/authenticat|unauthorized/i, 'unauthorized'],
  [/refused/i, 'refused'],
  [/timed? ?out/i, 'timeout'],
  [/no route|unreachable|network is down/i, 'unreachable'],
  [/resolve|not known|no address|nodename/i, 'unknown_host'],
]

/** The server answers every attempt with OKAY: its words alone say what became of it. */
export const readConnectAnswer = (answer: string): ConnectAnswer => {
  const text = clean(answer, SAID_CHARS_MAX)
  if (/^already connected to /.test(text)) return { ok: true, already: true }
  if (/^connected to /.test(text)) return { ok: true, already: false }
  const found = CONNECT_PROBLEMS.find(([words]) => words.test(text))?.[1]
  // Without a reason, the device took the connection and never answered.
  const silent = /^failed to connect to '?[^\s']+'?$/.test(text) ? 'timeout' : 'failed'
  return { ok: false, reason: found ?? silent, said: text }
}

export const readPairAnswer = (answer: string): PairAnswer => {
  const text = clean(answer, SAID_CHARS_MAX)
  if (/^successfully paired to /i.test(text)) {
    const [, guid] = /\[guid=([^\]\s]{1,100})\]/.exec(text) ?? []
    return guid === undefined ? { ok: true } : { ok: true, guid }
  }
  if (/wrong password|connection was dropped|protocol fault/i.test(text)) {
    return { ok: false, reason: 'wrong_code', said: text }
  }
  if (/refused/i.test(text)) return { ok: false, reason: 'refused', said: text }
  return { ok: false, reason: /timed? ?out/i.test(text) ? 'timeout' : 'failed', said: text }
}

const KINDS: readonly (readonly [RegExp, ServiceKind])[] = [
  [/^_adb-tls-pairing\._tcp\.?$/, 'pairing'],
  [/^_adb-tls-connect\._tcp\.?$/, 'connect'],
  [/^_adb\._tcp\.?$/, 'classic'],
]

const ADDRESS = /^(?:\[[\da-fA-F:.%]+\]|[^\s:[\]]+):\d{1,5}$/

/** Lines of name, type and address; what is none is left out. */
export const readServices = (text: string): DiscoveredService[] =>
  text.split('\n').flatMap(line => {
    const [name = '', type = '', address = ''] = line.split('\t').map(part => clean(part, NAME_CHARS_MAX))
    const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1]
    return kind === undefined || name === '' || !ADDRESS.test(address) ? [] : [{ name, kind, address }]
  })

const isUnknownService = (error: unknown): boolean =>
  error instanceof Error && /unknown host service|unrecognized|no such service/i.test(error.message)

class SilentServer extends LinkError {}

interface WirelessOptions {
  clock: Clock
  server: AdbServer
}

export const createWireless = ({ clock, server }: WirelessOptions): Wireless => {
  const silent = (what: string) => () =>
    new SilentServer('ADB_SERVER_FAILED', `${what}: the adb server gives no answer`)

  /** The server is started when nobody listens, as for a listing. */
  const ask = <T>(what: string, call: CallOptions, request: (connect: Connect, stop: AbortSignal) => Promise<T>) =>
    bounded({ clock, what, timeout: silent(what), ...call }, stop =>
      server.talk(what, connect => request(connect, stop)),
    )

  /** A server that gives no answer in time is waiting for the device. */
  const unanswered = (error: unknown) => {
    if (!(error instanceof SilentServer)) throw error
    return { ok: false as const, reason: 'timeout' as const, said: 'the adb server gave no answer in time' }
  }

  const serials = async (connect: Connect, stop: AbortSignal): Promise<string[]> =>
    parseDeviceList(await answerTo(connect, 'host:devices', stop)).map(({ serial }) => serial)

  const leave = async (address: string | undefined, stop: AbortSignal): Promise<readonly string[]> => {
    const before = await serials(server.connect, stop)
    if (address !== undefined && !before.includes(address)) return []
    await answerTo(server.connect, `host:disconnect:${address ?? ''}`, stop)
    const after = new Set(await serials(server.connect, stop))
    return before.filter(serial => !after.has(serial))
  }

  return {
    connect: (address, call) =>
      ask(`connecting to ${address.slice(0, SERIAL_CHARS_MAX)}`, call, async (connect, stop) =>
        readConnectAnswer(await answerTo(connect, `host:connect:${address}`, stop)),
      ).catch(unanswered),
    disconnect: (address, call) =>
      bounded({ clock, what: 'disconnecting', timeout: silent('disconnecting'), ...call }, stop =>
        leave(address, stop).catch((error: unknown) => {
          // Nothing is connected where no server runs.
          if (isNobodyThere(error)) return []
          throw serverError(error, 'disconnecting', 'ADB_SERVER_FAILED')
        }),
      ),
    pair: (address, code, call) =>
      ask(`pairing with ${address.slice(0, SERIAL_CHARS_MAX)}`, call, async (connect, stop): Promise<PairAnswer> => {
        try {
          return readPairAnswer(await answerTo(connect, `host:pair:${code}:${address}`, stop))
        } catch (error) {
          if (isUnknownService(error)) return { ok: false, reason: 'unsupported', said: 'the adb server cannot pair' }
          // A server ends the connection when the phone does: a wrong code, or a port that is not for pairing.
          if (error instanceof ServerStreamError) return { ok: false, reason: 'wrong_code', said: error.message }
          if (error instanceof LinkError || (error instanceof Error && 'code' in error)) throw error
          return readPairAnswer(error instanceof Error ? error.message : String(error))
        }
      }).catch(unanswered),
    discover: call =>
      ask('asking the adb server for services of the network', call, async (connect, stop): Promise<Discovered> => {
        try {
          const status = clean(await answerTo(connect, 'host:mdns:check', stop), SAID_CHARS_MAX)
          if (/error|unavailable|disabled/i.test(status)) return { ok: false, reason: 'off', said: status }
          return { ok: true, services: readServices(await answerTo(connect, 'host:mdns:services', stop)) }
        } catch (error) {
          if (!isUnknownService(error)) throw error
          return { ok: false, reason: 'unsupported', said: 'the adb server knows no mDNS' }
        }
      }),
  }
}

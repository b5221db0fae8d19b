/** Devices that the adb server of this host reaches over the network: connected, disconnected, discovered and paired. */
import { randomInt } from 'node:crypto'
import type { DeviceRecord, ListedDevice } from '../../contracts/device/device.ts'
import type {
  ConnectProblem,
  Discovered,
  DiscoveredService,
  PairAnswer,
  Paired,
  PairProblem,
} from '../../contracts/device/wireless.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { ServerRequests } from '../../device/link/links.ts'
import type { Clock } from '../../runtime/clock.ts'
import { answering } from '../local/run.ts'
import { type Failed, failed, type Result, success } from '../service.ts'
import { pairByQr, qrContent } from './qr-pairing.ts'

/** The server gives a device that does not answer ten seconds. */
const CONNECT_MS = 20_000
const DISCONNECT_MS = 10_000
const DISCOVER_MS = 15_000
const PAIR_MS = 30_000
const ASK_MS = 10_000
const MS_PER_SECOND = 1_000
const READY = 'device'

interface Advice {
  clause: string
  hint: string
}

const CONNECT_PROBLEMS: Readonly<Record<ConnectProblem, Advice>> = {
  refused: {
    clause: 'it refuses the connection',
    hint: 'Nothing listens at this port. With Wireless debugging, the port is a new one each time: svc devices discover shows it; adb tcpip 5555 over USB opens the usual one.',
  },
  timeout: {
    clause: 'it does not answer',
    hint: 'See that the phone is awake and in the same network, and that nothing between blocks the port.',
  },
  unreachable: {
    clause: 'the network cannot reach it',
    hint: 'See that this machine and the phone are in the same network.',
  },
  unknown_host: {
    clause: 'no such host is known',
    hint: 'Check the name, or give the IP address that the phone shows.',
  },
  unauthorized: {
    clause: 'it has not accepted this host',
    hint: 'Unlock the phone and accept the question about debugging; a phone with Wireless debugging is paired first: svc devices pair.',
  },
  failed: { clause: 'the adb server cannot connect it', hint: 'Read what the adb server said in `details.said`.' },
}

const PAIR_PROBLEMS: Readonly<Record<PairProblem, Advice>> = {
  wrong_code: {
    clause: 'the code is wrong, or the port is not the one for pairing',
    hint: 'Use the address and the code that the phone shows together, while it shows them.',
  },
  refused: { clause: 'it refuses the connection', hint: 'The window with the code must stay open on the phone.' },
  timeout: { clause: 'it does not answer', hint: 'See that the phone is in the same network as this machine.' },
  unsupported: {
    clause: 'the adb server is too old to pair',
    hint: 'Update the Android platform tools to 30 or newer, and run adb kill-server.',
  },
  failed: { clause: 'the adb server could not pair', hint: 'Read what the adb server said in details.said.' },
}

const listed = (serial: string, state: string): ListedDevice => ({ serial, deviceId: serial, state })

const notDiscovered = ({ reason, said }: Extract<Discovered, { ok: false }>): Failed =>
  failed(
    failure(
      'DISCOVERY_UNAVAILABLE',
      reason === 'off'
        ? 'The adb server runs without mDNS, so it discovers no devices.'
        : 'The adb server is too old to discover devices.',
      { details: { reason, said } },
    ),
  )

const notPaired = (address: string, code: string, { reason, said }: Extract<PairAnswer, { ok: false }>): Failed => {
  const { clause, hint } = PAIR_PROBLEMS[reason]
  const details = { address, reason, said: said.replaceAll(code, '*'.repeat(code.length)) }
  return failed(failure('PAIRING_FAILED', `${address} is not paired: ${clause}.`, { details, hint }))
}

const unscanned = (seconds: number): Failed =>
  failed(
    failure('PAIRING_FAILED', `No phone has scanned the QR code within ${seconds} s.`, {
      details: { reason: 'timeout' },
      hint: 'On the phone: Developer options, Wireless debugging, Pair device with QR code. Both must be in one network that lets mDNS through; otherwise pair with the code: svc devices pair <host:port> <code>.',
    }),
  )

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const randomText = (length: number) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

interface WirelessDeps {
  clock: Clock
  /** Undefined for links of a simulated world. */
  server(): ServerRequests | undefined
  listDevices(signal: AbortSignal): Promise<readonly DeviceRecord[]>
  note(text: string): void
}

/** Requests for devices over the network. Addresses are complete, and codes have six digits. */
export type WirelessRequests = ReturnType<typeof createWirelessRequests>

export const createWirelessRequests = ({ clock, server, listDevices, note }: WirelessDeps) => {
  const within = (ms: number, signal: AbortSignal) => ({ deadline: clock.now() + ms, signal })
  const ask = <T>(work: (server: ServerRequests) => Promise<Result<T>>): Promise<Result<T>> =>
    answering(
      async () => {
        const adb = server()
        if (adb) return await work(adb)
        return failed(failure('ADB_SERVER_FAILED', 'These devices are reached without an adb server.'))
      },
      { what: 'a request about devices over the network', note },
    )

  return {
    connect: (address: string, signal: AbortSignal) =>
      ask<{ device: ListedDevice; already: boolean }>(async adb => {
        const answer = await adb.connect(address, within(CONNECT_MS, signal))
        if (!answer.ok) {
          const { reason, said } = answer
          const { clause, hint } = CONNECT_PROBLEMS[reason]
          const details = { address, reason, said }
          return failed(failure('CONNECT_FAILED', `${address} is not connected: ${clause}.`, { details, hint }))
        }
        const { state = READY } = (await listDevices(signal)).find(({ serial }) => serial === address) ?? {}
        if (state === READY) return success({ device: listed(address, state), already: answer.already })
        const code = state === 'unauthorized' ? 'DEVICE_UNAUTHORIZED' : 'DEVICE_OFFLINE'
        const hint =
          code === 'DEVICE_OFFLINE'
            ? `Run svc devices disconnect ${address}, then connect it again.`
            : CONNECT_PROBLEMS.unauthorized.hint
        const message = `${address} is known to the adb server, but is ${state}.`
        return failed(failure(code, message, { details: { address, state }, hint }))
      }),
    /** All of them without an address. */
    disconnect: (address: string | undefined, signal: AbortSignal) =>
      ask<{ disconnected: readonly string[] }>(async adb => {
        const disconnected = await adb.disconnect(address, within(DISCONNECT_MS, signal))
        if (address === undefined || disconnected.length > 0) return success({ disconnected })
        return failed(
          failure('DEVICE_NOT_FOUND', `The adb server has no device ${address}.`, {
            details: { address },
            hint: 'svc devices lists what is connected. A device of SVC_TCP_DEVICES is not: take it out of that variable.',
          }),
        )
      }),
    discover: (signal: AbortSignal) =>
      ask<{ services: readonly DiscoveredService[]; count: number }>(async adb => {
        const discovered = await adb.discover(within(DISCOVER_MS, signal))
        if (!discovered.ok) return notDiscovered(discovered)
        const { services } = discovered
        return success({ services, count: services.length })
      }),
    pair: ({ address, code }: { address: string; code: string }, signal: AbortSignal) =>
      ask<Paired>(async adb => {
        const answer = await adb.pair(address, code, within(PAIR_MS, signal))
        if (!answer.ok) return notPaired(address, code, answer)
        const { guid = null } = answer
        const discovered = await adb.discover(within(ASK_MS, signal))
        const services = discovered.ok ? discovered.services : []
        const connectAt = services.find(({ kind, name }) => kind === 'connect' && name === guid)?.address ?? null
        return success({ paired: { address, guid }, device: null, connectAt })
      }),
    /** `onCode` shows the text of the QR code that a phone has so many seconds to scan. */
    pairByQr: ({ seconds, onCode }: { seconds: number; onCode: (text: string) => void }, signal: AbortSignal) =>
      ask<Paired>(async adb => {
        const discovered = await adb.discover(within(ASK_MS, signal))
        if (!discovered.ok) return notDiscovered(discovered)
        const [name, password] = [`svc-${randomText(8)}`, randomText(10)]
        onCode(qrContent(name, password))
        const pairing = await pairByQr({
          ...{ clock, signal, server: adb, name, password },
          listDevices: () => listDevices(signal),
          scanMs: seconds * MS_PER_SECOND,
        })
        if (pairing.kind === 'unscanned') return unscanned(seconds)
        const { address } = pairing
        if (pairing.kind === 'refused') return notPaired(address, password, pairing.answer)
        const { guid = null, serial } = pairing
        const device = serial === undefined ? null : listed(serial, READY)
        return success({ paired: { address, guid }, device, connectAt: null })
      }),
  }
}

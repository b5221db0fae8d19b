/** `svc devices pair`: with the code that a phone shows, or with a QR code that it scans. */
import { randomInt } from 'node:crypto'
import type { ServerRequests } from '../../adb/links.ts'
import type { DiscoveredService, PairProblem } from '../../adb/wireless.ts'
import { failure } from '../../contracts/failures.ts'
import { pause } from '../../runtime/clock.ts'
import { type Call, type CommandResult, usage } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'
import { pairingAddress } from './address.ts'
import { discoveryFailure } from './connect.ts'
import { qrCode } from './qr-code.ts'
import { qrText } from './qr-text.ts'
import { serverOf, within } from './server.ts'

const PAIR_MS = 30_000
const ASK_MS = 10_000
const LOOK_MS = 500
/** A phone that is paired says within seconds where it can be connected. */
const CONNECTABLE_MS = 15_000
const FOR_S = { min: 5, max: 600, default: 120 } as const
const MS_PER_SECOND = 1_000
const CODE = /^\d{6}$/

const PROBLEMS: Readonly<Record<PairProblem, { clause: string; hint: string }>> = {
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
  failed: { clause: 'the adb server could not pair', hint: 'Read what the adb server said in `details.said`.' },
}

type Paired = { ok: true; guid: string | undefined } | { ok: false; output: unknown }

const pairAt = async (server: ServerRequests, address: string, code: string, call: Call): Promise<Paired> => {
  const answer = await server.pair(address, code, within(call, PAIR_MS))
  if (answer.ok) return { ok: true, guid: answer.guid }
  const { reason, said } = answer
  const { clause, hint } = PROBLEMS[reason]
  const details = { address, reason, said: said.replaceAll(code, '******') }
  return { ok: false, output: failure('PAIRING_FAILED', `${address} is not paired: ${clause}.`, { details, hint }) }
}

/** Undefined when the time is over, or the command is interrupted. */
const untilFound = async <T>(call: Call, ms: number, look: () => Promise<T | undefined>): Promise<T | undefined> => {
  const { clock, signal } = call
  const begun = clock.elapsed()
  while (!signal.aborted && clock.elapsed() - begun < ms) {
    const found = await look()
    if (found !== undefined) return found
    await pause(clock, LOOK_MS, signal)
  }
  return undefined
}

const services = async (server: ServerRequests, call: Call): Promise<readonly DiscoveredService[]> => {
  const discovered = await server.discover(within(call, ASK_MS))
  return discovered.ok ? discovered.services : []
}

/** The services of one phone stand at one host. */
const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':'))

/** The serial of the phone, which some adb servers connect by themselves as soon as it is paired. */
const connectPaired = async (
  server: ServerRequests,
  { guid, address }: { guid: string | undefined; address: string },
  call: Call,
): Promise<string | undefined> => {
  const list = async () => (await call.services()).listDevices(call.signal)
  return untilFound(call, CONNECTABLE_MS, async () => {
    const found = (await services(server, call)).find(
      ({ kind, name, address: at }) =>
        kind === 'connect' && (guid === undefined ? hostOf(at) === hostOf(address) : name === guid),
    )
    const isIt = (serial: string) => (guid !== undefined && serial.startsWith(`${guid}.`)) || serial === found?.address
    const ready = (await list()).find(({ serial, state }) => state === 'device' && isIt(serial))
    if (ready) return ready.serial
    if (found) await server.connect(found.address, within(call, PAIR_MS))
    return undefined
  })
}

const pairWithCode = async (call: Call): Promise<CommandResult> => {
  const [place, code] = call.args
  if (place === undefined || code === undefined) {
    throw usage('Give the address and the code that the phone shows, or --qr: svc devices pair <host:port> <code>.')
  }
  const address = pairingAddress(place)
  if (!CODE.test(code)) throw usage('The code must have six digits.')
  const server = await serverOf(call)
  const paired = await pairAt(server, address, code, call)
  if (!paired.ok) return { ok: false, output: paired.output }
  const { guid } = paired
  const connectable = (await services(server, call)).find(({ kind, name }) => kind === 'connect' && name === guid)
  return {
    ok: true,
    output: { paired: { address, guid: guid ?? null }, device: null, connectAt: connectable?.address ?? null },
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const randomText = (length: number) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const notScanned = (seconds: number) =>
  failure('PAIRING_FAILED', `No phone has scanned the QR code within ${seconds} s.`, {
    details: { reason: 'timeout' },
    hint: 'On the phone: Developer options, Wireless debugging, Pair device with QR code. Both must be in one network that lets mDNS through; otherwise pair with the code: svc devices pair <host:port> <code>.',
  })

const pairWithQr = async (call: Call): Promise<CommandResult> => {
  if (call.args.length > 0) throw usage('With --qr the phone finds this machine: give no address and no code.')
  const seconds = wholeNumber(call, 'for', FOR_S) ?? FOR_S.default
  const server = await serverOf(call)
  const discovered = await server.discover(within(call, ASK_MS))
  if (!discovered.ok) return { ok: false, output: discoveryFailure(discovered) }
  const [name, password] = [`svc-${randomText(8)}`, randomText(10)]
  const code = qrCode(`WIFI:T:ADB;S:${name};P:${password};;`) ?? []
  const hasColours = call.io.errorColumns() !== undefined && !call.env.NO_COLOR
  call.io.note(qrText(code, { hasColours }))
  call.io.note('On the phone: Developer options, Wireless debugging, Pair device with QR code.')
  const found = await untilFound(call, seconds * MS_PER_SECOND, async () =>
    (await services(server, call)).find(service => service.kind === 'pairing' && service.name === name),
  )
  if (!found) return { ok: false, output: notScanned(seconds) }
  const { address } = found
  const paired = await pairAt(server, address, password, call)
  if (!paired.ok) return { ok: false, output: paired.output }
  const serial = await connectPaired(server, { guid: paired.guid, address }, call)
  const device = serial === undefined ? null : { serial, deviceId: serial, state: 'device' }
  return { ok: true, output: { paired: { address, guid: paired.guid ?? null }, device, connectAt: null } }
}

export const pairDevice = (call: Call): Promise<CommandResult> =>
  call.isOn('qr') ? pairWithQr(call) : pairWithCode(call)

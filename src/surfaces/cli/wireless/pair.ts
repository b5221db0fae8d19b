/** `svc devices pair`: with the code that a phone shows, or with a QR code that it scans. */

import { randomInt } from 'node:crypto'
import { encode } from 'uqr'
import type { ListedDevice } from '../../../contracts/device/device.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import type { PairAnswer, PairProblem } from '../../../device/link/wireless.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { headline, lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { pairingAddress } from './address.ts'
import { discoveryFailure } from './connect.ts'
import { pairByQr, qrContent } from './qr-pairing.ts'
import { qrText } from './qr-text.ts'
import { serverOf, within } from './server.ts'

const PAIR_MS = 30_000
const ASK_MS = 10_000
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
  failed: { clause: 'the adb server could not pair', hint: 'Read what the adb server said in details.said.' },
}

const notPaired = (
  address: string,
  code: string,
  { reason, said: message }: Extract<PairAnswer, { ok: false }>,
): CommandResult => {
  const { clause, hint } = PROBLEMS[reason]
  const details = { address, reason, said: message.replaceAll(code, '*'.repeat(code.length)) }
  return { ok: false, output: failure('PAIRING_FAILED', `${address} is not paired: ${clause}.`, { details, hint }) }
}

const pairWithCode = async (call: CommandContext): Promise<CommandResult> => {
  const [place, code] = call.args
  if (place === undefined || code === undefined) {
    throw usage('Give the address and the code that the phone shows, or --qr: svc devices pair <host:port> <code>.')
  }
  const address = pairingAddress(place)
  if (!CODE.test(code)) throw usage('The code must have six digits.')
  const server = await serverOf(call)
  const answer = await server.pair(address, code, within(call, PAIR_MS))
  if (!answer.ok) return notPaired(address, code, answer)
  const { guid = null } = answer
  const discovered = await server.discover(within(call, ASK_MS))
  const services = discovered.ok ? discovered.services : []
  const connectAt = services.find(({ kind, name }) => kind === 'connect' && name === guid)?.address ?? null
  return { ok: true, output: { paired: { address, guid }, device: null, connectAt } }
}

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const randomText = (length: number) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const unscanned = (seconds: number) =>
  failure('PAIRING_FAILED', `No phone has scanned the QR code within ${seconds} s.`, {
    details: { reason: 'timeout' },
    hint: 'On the phone: Developer options, Wireless debugging, Pair device with QR code. Both must be in one network that lets mDNS through; otherwise pair with the code: svc devices pair <host:port> <code>.',
  })

const pairWithQr = async (call: CommandContext): Promise<CommandResult> => {
  if (call.args.length > 0) throw usage('With --qr the phone finds this machine: give no address and no code.')
  const { clock, signal, io, env } = call
  const seconds = wholeNumber(call, 'for', FOR_S) ?? FOR_S.default
  const server = await serverOf(call)
  const discovered = await server.discover(within(call, ASK_MS))
  if (!discovered.ok) return { ok: false, output: discoveryFailure(discovered) }
  const [name, password] = [`svc-${randomText(8)}`, randomText(10)]
  const { data: code } = encode(qrContent(name, password), { ecc: 'L', border: 0 })
  io.note(qrText(code, { hasColours: io.errorColumns() !== undefined && !env.NO_COLOR }))
  io.note('On the phone: Developer options, Wireless debugging, Pair device with QR code.')
  const { listDevices } = await call.services()
  const pairing = await pairByQr({
    ...{ clock, signal, server, name, password },
    listDevices: () => listDevices(signal),
    scanMs: seconds * MS_PER_SECOND,
  })
  if (pairing.kind === 'unscanned') return { ok: false, output: unscanned(seconds) }
  const { address } = pairing
  if (pairing.kind === 'refused') return notPaired(address, password, pairing.answer)
  const { guid = null, serial } = pairing
  const device = serial === undefined ? null : { serial, deviceId: serial, state: 'device' }
  return { ok: true, output: { paired: { address, guid }, device, connectAt: null } }
}

export const pairDevice = (call: CommandContext): Promise<CommandResult> =>
  call.isOn('qr') ? pairWithQr(call) : pairWithCode(call)

interface Paired {
  paired: { address: string; guid: string | null }
  device: ListedDevice | null
  connectAt: string | null
}

export const pairedText = (page: Page, { paired, device, connectAt }: Paired): string => {
  const next =
    connectAt === null
      ? 'svc devices discover shows where it can be connected.'
      : safe`Connect it: svc devices connect ${connectAt}`
  return lines(
    headline(page, 'ok', safe`Paired with ${paired.address}`),
    device === null ? paragraph(page, next, 2) : headline(page, 'ok', safe`${device.deviceId} is connected`),
  )
}

/** `svc devices connect|disconnect|discover`: devices that the adb server of this machine reaches over the network. */

import type { ListedDevice } from '../../../contracts/device/device.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import type { ConnectProblem, Discovered, DiscoveredService } from '../../../device/link/wireless.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { listText } from '../text/answer.ts'
import { bullets, counted, headline, lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { deviceAddress } from './address.ts'
import { serverOf, within } from './server.ts'

/** The server gives a device that does not answer ten seconds. */
const CONNECT_MS = 20_000
const DISCONNECT_MS = 10_000
const DISCOVER_MS = 15_000
const READY = 'device'

const PROBLEMS: Readonly<Record<ConnectProblem, { clause: string; hint: string }>> = {
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

const stateOf = async (call: CommandContext, serial: string): Promise<string | undefined> =>
  (await (await call.services()).listDevices(call.signal)).find(device => device.serial === serial)?.state

const listed = (serial: string, state: string): ListedDevice => ({ serial, deviceId: serial, state })

export const connectDevice = async (call: CommandContext): Promise<CommandResult> => {
  const address = deviceAddress(call.args[0] ?? '')
  const answer = await (await serverOf(call)).connect(address, within(call, CONNECT_MS))
  if (!answer.ok) {
    const { reason, said } = answer
    const { clause, hint } = PROBLEMS[reason]
    const details = { address, reason, said }
    return {
      ok: false,
      output: failure('CONNECT_FAILED', `${address} is not connected: ${clause}.`, { details, hint }),
    }
  }
  const state = (await stateOf(call, address)) ?? READY
  if (state === READY) return { ok: true, output: { device: listed(address, state), already: answer.already } }
  const code = state === 'unauthorized' ? 'DEVICE_UNAUTHORIZED' : 'DEVICE_OFFLINE'
  const hint =
    code === 'DEVICE_OFFLINE'
      ? `Run svc devices disconnect ${address}, then connect it again.`
      : PROBLEMS.unauthorized.hint
  const error = failure(code, `${address} is known to the adb server, but is ${state}.`, {
    details: { address, state },
    hint,
  })
  return { ok: false, output: error }
}

export const disconnectDevice = async (call: CommandContext): Promise<CommandResult> => {
  const [argument] = call.args
  const address = argument === undefined ? undefined : deviceAddress(argument)
  const disconnected = await (await serverOf(call)).disconnect(address, within(call, DISCONNECT_MS))
  if (address === undefined || disconnected.length > 0) return { ok: true, output: { disconnected } }
  const error = failure('DEVICE_NOT_FOUND', `The adb server has no device ${address}.`, {
    details: { address },
    hint: 'svc devices lists what is connected. A device of SVC_TCP_DEVICES is not: take it out of that variable.',
  })
  return { ok: false, output: error }
}

export const discoveryFailure = ({ reason, said }: Extract<Discovered, { ok: false }>) =>
  failure(
    'DISCOVERY_UNAVAILABLE',
    reason === 'off'
      ? 'The adb server runs without mDNS, so it discovers no devices.'
      : 'The adb server is too old to discover devices.',
    { details: { reason, said } },
  )

export const discoverDevices = async (call: CommandContext): Promise<CommandResult> => {
  const discovered = await (await serverOf(call)).discover(within(call, DISCOVER_MS))
  if (!discovered.ok) return { ok: false, output: discoveryFailure(discovered) }
  const { services } = discovered
  return { ok: true, output: { services, count: services.length } }
}

export const connectedText = (page: Page, { device, already }: { device: ListedDevice; already: boolean }): string =>
  headline(page, 'ok', safe`${device.deviceId} ${already ? 'was connected already' : 'is connected'}`)

export const disconnectedText = (page: Page, { disconnected }: { disconnected: readonly string[] }): string =>
  disconnected.length === 0
    ? paragraph(page, 'No device was connected over the network.')
    : lines(headline(page, 'ok', `Disconnected ${counted(disconnected.length, 'device')}`), bullets(page, disconnected))

const KINDS: Readonly<Record<DiscoveredService['kind'], string>> = {
  pairing: 'waits for a code',
  connect: 'wireless debugging',
  classic: 'adb over TCP',
}

export const discoveredText = (page: Page, { services }: { services: readonly DiscoveredService[] }): string =>
  listText(page, services, {
    none: 'The adb server has discovered no device. Switch on Wireless debugging on the phone.',
    as: { kind: ({ kind }) => KINDS[kind] },
    first: ['name', 'kind', 'address'],
  })

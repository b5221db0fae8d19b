/** `svc devices connect|disconnect|discover`: devices that the adb server of this machine reaches over the network. */

import { hostAndPort, withPort } from '../../../contracts/device/addresses.ts'
import type { ListedDevice } from '../../../contracts/device/device.ts'
import type { DiscoveredService } from '../../../contracts/device/wireless.ts'
import type { Result } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { listText } from '../text/answer.ts'
import { bullets, counted, headline, lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

// The address of a device as commands take it.

/** With the port of adb where none is given. */
const deviceAddress = (text: string): string => {
  const address = withPort(text.trim())
  if (hostAndPort(address)) return address
  throw usage(`"${text}" is not an address: host, host:port or [IPv6 address]:port.`)
}

/** The port of a pairing is a new one each time, so it must be given. */
export const pairingAddress = (text: string): string => {
  if (hostAndPort(text.trim())) return text.trim()
  throw usage(`"${text}" is not host:port.`, {
    hint: 'The phone shows both under Developer options, Wireless debugging, Pair device with pairing code.',
  })
}

export const outputOf = (result: Result<object>): CommandResult =>
  result.ok ? { ok: true, output: result.value } : { ok: false, output: result.error }

export const connectDevice = async (call: CommandContext): Promise<CommandResult> => {
  const address = deviceAddress(call.args[0] ?? '')
  const wireless = await (await call.services()).wireless()
  return outputOf(await wireless.connect(address, call.signal))
}

export const disconnectDevice = async (call: CommandContext): Promise<CommandResult> => {
  const [argument] = call.args
  const address = argument === undefined ? undefined : deviceAddress(argument)
  const wireless = await (await call.services()).wireless()
  return outputOf(await wireless.disconnect(address, call.signal))
}

export const discoverDevices = async (call: CommandContext): Promise<CommandResult> => {
  const wireless = await (await call.services()).wireless()
  return outputOf(await wireless.discover(call.signal))
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

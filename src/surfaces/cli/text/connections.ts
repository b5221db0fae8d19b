/** `svc devices connect|disconnect|pair|discover`, `svc forward` and `svc reverse` for people. */

import type { ListedDevice } from '../../../contracts/device/device.ts'
import type { Forward } from '../../../contracts/device/forwards.ts'
import type { DiscoveredService } from '../../../device/link/wireless.ts'
import { bullets, counted, headline, lines, paragraph, table } from './layout.ts'
import type { Page } from './page.ts'
import { safe } from './visible.ts'

export const connectedText = (page: Page, { device, already }: { device: ListedDevice; already: boolean }): string =>
  headline(page, 'ok', safe`${device.deviceId} ${already ? 'was connected already' : 'is connected'}`)

export const disconnectedText = (page: Page, { disconnected }: { disconnected: readonly string[] }): string =>
  disconnected.length === 0
    ? paragraph(page, 'No device was connected over the network.')
    : lines(headline(page, 'ok', `Disconnected ${counted(disconnected.length, 'device')}`), bullets(page, disconnected))

interface PairedOutput {
  paired: { address: string; guid: string | null }
  device: ListedDevice | null
  connectAt: string | null
}

export const pairedText = (page: Page, { paired, device, connectAt }: PairedOutput): string => {
  const next =
    connectAt === null
      ? 'svc devices discover shows where it can be connected.'
      : safe`Connect it: svc devices connect ${connectAt}`
  return lines(
    headline(page, 'ok', safe`Paired with ${paired.address}`),
    device === null ? paragraph(page, next, 2) : headline(page, 'ok', safe`${device.deviceId} is connected`),
  )
}

const KINDS: Readonly<Record<DiscoveredService['kind'], string>> = {
  pairing: 'waits for a code',
  connect: 'wireless debugging',
  classic: 'adb over TCP',
}

export const discoveredText = (page: Page, { services }: { services: readonly DiscoveredService[] }): string =>
  services.length === 0
    ? paragraph(page, 'The adb server has discovered no device. Switch on Wireless debugging on the phone.')
    : table(
        page,
        [
          { title: 'name', cell: ({ name }) => name, atLeast: 16 },
          { title: 'kind', cell: ({ kind }) => KINDS[kind] },
          { title: 'address', cell: ({ address }) => address },
        ],
        services,
      )

const holder = ({ heldBy }: Forward): string => (heldBy === 'adb-server' ? 'adb server' : `process ${heldBy.pid}`)

interface PortsOutput {
  forwards?: readonly Forward[]
  reverses?: readonly Forward[]
}

export const portsText = (page: Page, { forwards, reverses }: PortsOutput): string => {
  const pairs = forwards ?? reverses ?? []
  if (pairs.length === 0)
    return paragraph(page, forwards ? 'No port leads to the device.' : 'No port of the device leads here.')
  return table(
    page,
    [
      { title: 'at this host', cell: ({ local }) => local },
      { title: 'at the device', cell: ({ remote }) => remote },
      { title: 'device', cell: ({ deviceId }) => deviceId, leaveOut: 2 },
      { title: 'held by', cell: holder, leaveOut: 1 },
    ],
    pairs,
  )
}

export const portAddedText = (page: Page, { forward, reverse }: { forward?: Forward; reverse?: Forward }): string => {
  if (forward) return headline(page, 'ok', safe`${forward.local} leads to ${forward.remote} of ${forward.deviceId}`)
  const { remote = '', deviceId = '', local = '' } = reverse ?? {}
  return headline(page, 'ok', safe`${remote} of ${deviceId} leads to ${local}`)
}

export const portRemovedText = (page: Page, { removed }: { removed: Forward }): string =>
  headline(page, 'ok', safe`${removed.local} and ${removed.remote} of ${removed.deviceId} are no longer connected`)

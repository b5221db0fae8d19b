/** `svc devices` and `svc device info` for people. */
import type { DeviceInfo, ListedDevice } from '../../../contracts/device/device.ts'
import { type Fact, facts, lines, paragraph, table } from './layout.ts'
import { leaseWords } from './leases.ts'
import { type Page, SIGNS, type Style } from './page.ts'
import { safe } from './visible.ts'

const READY = 'device'

const stateOf = ({ state, draining }: ListedDevice): string => {
  if (draining) return `${SIGNS.warning} draining`
  return state === READY ? `${SIGNS.ok} ready` : `${SIGNS.warning} ${state}`
}

const styleOf = ({ state, draining }: ListedDevice): Style => (state === READY && !draining ? 'green' : 'yellow')

const labelsOf = ({ labels = {} }: ListedDevice): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

const reservedBy = ({ lease }: ListedDevice): string => (lease === undefined ? '' : leaseWords(lease))

/** A person can change these states. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthorized: 'unauthorized: unlock the phone and allow USB debugging.',
  offline: 'offline: connect the device again, or run adb reconnect offline.',
}

const NONE =
  'No device is connected. Connect a phone with USB debugging, or run a simulated one: svc simulate --port 41001'

export const devicesText = (page: Page, { devices }: { devices: readonly ListedDevice[] }): string => {
  if (devices.length === 0) return paragraph(page, NONE)
  const states = new Set(devices.map(({ state }) => state))
  return lines(
    table(
      page,
      [
        { title: 'device', cell: ({ deviceId }) => deviceId },
        { title: 'state', cell: stateOf, style: styleOf },
        { title: 'host', cell: ({ host = '' }) => host, leaveOut: 2 },
        { title: 'reserved', cell: reservedBy, leaveOut: 3 },
        { title: 'labels', cell: labelsOf, leaveOut: 1, atLeast: 16 },
      ],
      devices,
    ),
    ...[...states].map(state => paragraph(page, REMEDIES[state] ?? '')),
  )
}

/** Undefined for a single user, which most devices have. */
const users = ({ users = [] }: DeviceInfo): string | undefined =>
  users.length < 2
    ? undefined
    : users.map(({ id, name, current }) => `${name ?? 'user'} (${id}${current ? ', in front' : ''})`).join(', ')

export const deviceText = (page: Page, { device }: { device: DeviceInfo }): string => {
  const { deviceId, display, battery, apiLevel, androidVersion } = device
  const api = apiLevel === undefined ? '' : ` (API level ${apiLevel})`
  const density = display?.density === undefined ? '' : `, ${display.density} dpi`
  const status = battery?.status === undefined ? '' : `, ${battery.status}`
  const { manufacturer = '', model = '' } = device
  const named = model.toLowerCase().startsWith(manufacturer.toLowerCase()) ? model : `${manufacturer} ${model}`.trim()
  const rows: Fact[] = [
    ['Model', named],
    ['Android', androidVersion === undefined ? undefined : `${androidVersion}${api}`],
    ['Build', device.build],
    ['Security patch', device.securityPatch],
    ['ABI', device.abi],
    ['Display', display && `${display.width} x ${display.height} pixels${density}`],
    ['Battery', battery && `${battery.percent} %${status}`],
    ['In front', device.frontApp],
    ['Users', users(device)],
    ['Host', device.host],
  ]
  return lines(page.paint('bold', safe`${deviceId}`), facts(page, rows, 2))
}

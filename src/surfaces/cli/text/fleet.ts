/** `svc fleet` for people: the hosts, their devices, and when they were heard. */

import { duration } from '../../../contracts/duration.ts'
import type { FleetHostStatus, FleetStatus } from '../../../contracts/fleet.ts'
import { counted, headline, lines, table } from './layout.ts'
import { type Page, SIGNS, type Style } from './page.ts'
import { safe } from './visible.ts'

const STATES: Record<FleetHostStatus['state'], readonly [sign: string, style: Style]> = {
  serving: [SIGNS.ok, 'green'],
  joining: [SIGNS.warning, 'yellow'],
  draining: [SIGNS.warning, 'yellow'],
  drained: [SIGNS.warning, 'yellow'],
  cut: [SIGNS.failed, 'red'],
  gone: [SIGNS.failed, 'red'],
}

const devicesOf = ({ devices, ready, busy }: FleetHostStatus): string =>
  `${ready} of ${devices} ready${busy > 0 ? `, ${busy} busy` : ''}`

const heardOf = ({ lastContactMs }: FleetHostStatus): string =>
  lastContactMs === undefined ? 'not yet' : `${duration(lastContactMs)} ago`

const labelsOf = ({ labels }: FleetHostStatus): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** The host that answers is missing where the servers were asked alone. */
type AnsweredStatus = Omit<FleetStatus, 'host'> & { host?: string }

export const fleetText = (page: Page, { fleet, host, connected, server, hosts }: AnsweredStatus): string => {
  const by = host === undefined ? 'its servers see' : `${host} sees`
  const link = connected ? `NATS ${server ?? ''}`.trim() : 'without a NATS server'
  return lines(
    headline(
      page,
      connected ? 'ok' : 'warning',
      safe`Fleet ${fleet}, as ${by} it, ${link}: ${counted(hosts.length, 'host')}.`,
    ),
    table(
      page,
      [
        { title: 'host', cell: ({ host: name }) => name },
        { title: 'state', cell: ({ state }) => `${STATES[state][0]} ${state}`, style: ({ state }) => STATES[state][1] },
        { title: 'devices', cell: devicesOf },
        { title: 'heard', cell: heardOf, leaveOut: 4 },
        { title: 'lag', cell: ({ lag }) => (lag === undefined ? '' : String(lag)), align: 'right', leaveOut: 5 },
        { title: 'version', cell: ({ version }) => version, leaveOut: 3 },
        { title: 'since', cell: ({ startedAt }) => page.time(startedAt), leaveOut: 6 },
        { title: 'labels', cell: labelsOf, leaveOut: 2, atLeast: 16 },
      ],
      hosts,
    ),
  )
}

export const fleetHostText = (page: Page, { host, state }: { host: string; state: string }): string =>
  headline(page, 'ok', safe`Host ${host} is ${state}.`)

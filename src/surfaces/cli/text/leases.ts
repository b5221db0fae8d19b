/** `svc lease` for people. */
import type { Reservation } from '../../../contracts/reservation.ts'
import { facts, headline, lines, paragraph, table } from './layout.ts'
import type { Page } from './page.ts'
import { shortId } from './short-id.ts'

/** The note, and whose reservation it is. */
export const leaseWords = ({ note, keptBy, sessionId }: Omit<Reservation, 'deviceId'>): string =>
  [
    note ?? (sessionId === undefined ? 'reserved' : `session ${sessionId.slice(0, 8)}`),
    ...(keptBy === undefined ? [] : [`${keptBy.user}@${keptBy.machine}`]),
  ].join(', ')

const factsOf = (
  page: Page,
  { leaseId, deviceId, host, since, expiresAt, sessionId, note, keptBy }: Reservation,
): string =>
  facts(page, [
    ['for', note],
    ['kept by', keptBy && `${keptBy.user} on ${keptBy.machine}, process ${keptBy.pid}`],
    ['lease', leaseId],
    ['device', deviceId],
    ['host', host],
    ['session', sessionId],
    ['since', page.time(since)],
    ['until', page.time(expiresAt)],
  ])

export const leaseText = (page: Page, { lease }: { lease: Reservation }): string =>
  lines(
    headline(page, 'ok', `${lease.deviceId} is reserved`),
    factsOf(page, lease),
    '',
    paragraph(
      page,
      `Use it: svc ... --lease ${lease.leaseId}, or set SVC_LEASE. Give it back: svc lease end ${lease.leaseId}`,
    ),
  )

export const leaseEndedText = (page: Page, { lease }: { lease: Reservation }): string =>
  headline(page, 'ok', `${lease.deviceId} was given back`)

export const leasesText = (page: Page, { leases }: { leases: readonly Reservation[] }): string =>
  leases.length === 0
    ? paragraph(page, 'No device is reserved. Reserve one: svc lease <device> --for 10m')
    : table<Reservation>(
        page,
        [
          { title: 'lease', cell: ({ leaseId }) => leaseId, atLeast: 36 },
          { title: 'device', cell: ({ deviceId }) => deviceId, atLeast: 12 },
          { title: 'until', cell: ({ expiresAt }) => page.time(expiresAt), leaveOut: 2 },
          { title: 'session', cell: ({ sessionId = '' }) => shortId(page, sessionId), leaveOut: 1 },
          { title: 'flow run', cell: ({ flowRunId = '' }) => shortId(page, flowRunId), leaveOut: 1 },
          { title: 'for', cell: ({ note = '' }) => note, leaveOut: 3 },
          { title: 'kept by', cell: ({ keptBy }) => (keptBy ? `${keptBy.user}@${keptBy.machine}` : ''), leaveOut: 2 },
        ],
        leases,
      )

/** Section Fleet: whether a stream tells of this host or of its whole fleet, and where it resumes there. */
import type { ServerResponse } from 'node:http'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { FleetStreams } from './fleet-streams.ts'

export type Scope = 'host' | 'fleet'

/** Whoever resumes across the fleet does not say so by an id of one host, and the other way round. */
export const wrongId = (scope: Scope, isInFleet: boolean, what: string): ErrorObject => {
  const other = scope === 'host' ? 'fleet' : 'host'
  const hint = isInFleet
    ? `Ids of ?scope=host and of ?scope=fleet differ. Resume with ?scope=${other}, or leave the header out to receive only new events.`
    : 'Leave the header out to receive only new events.'
  return failure('INVALID_QUERY', `The header Last-Event-ID must be the id of ${what}.`, { hint })
}

/** The streams of the fleet if they are what is asked for, or why they cannot be. */
export const fleetScope = (
  scope: Scope | undefined,
  streams: FleetStreams | undefined,
): { ok: true; streams: FleetStreams | undefined } | { ok: false; error: ErrorObject } => {
  if (scope === 'host') return { ok: true, streams: undefined }
  if (streams || scope === undefined) return { ok: true, streams }
  const hint = 'Leave scope out, or start the server with svc serve --fleet.'
  return { ok: false, error: failure('INVALID_QUERY', 'scope=fleet: this server is in no fleet.', { hint }) }
}

export const unreachable = (error: unknown): ErrorObject =>
  failure('FLEET_UNREACHABLE', `The log of the fleet cannot be read: ${messageOf(error)}.`, {
    hint: 'Try again, or ask for ?scope=host.',
  })

/** While it was made ready, its client may have gone. */
export const hasGone = ({ destroyed, writableEnded }: ServerResponse): boolean => destroyed || writableEnded

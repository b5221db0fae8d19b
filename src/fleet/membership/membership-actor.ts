/** The actor of the membership of this process: asked to join, told to drain and to leave, and looked at. */
import type { MembershipEmitted } from '../../../machines/membership/membership-setup.ts'
import type { Unstamped } from '../../contracts/events/event.ts'
import type { MembershipEvent } from '../../contracts/events/fleet.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure, isFailureCode } from '../../contracts/failures/failures.ts'
import { FLEET_JOIN_MS } from '../../contracts/limits/fleet-limits.ts'
import type { FleetMemberOptions } from '../deps.ts'

/** One host of one fleet in a home. */
const ID = 'membership:fleet'
/** The first claim of its host is among so many records of it. */
const FIRST_RECORDS = 100

interface Snapshot {
  value: string | { inside: string }
}

type Refused = Extract<MembershipEmitted, { type: 'fleet.refused' }>

const HINTS: Readonly<Record<string, string>> = {
  FLEET_UNSAFE:
    'Change the settings of the servers until svc doctor --fleet <urls> finds nothing, or join all the same with svc serve --fleet-unsafe.',
  FLEET_HOST_TAKEN: 'Give this host another id with svc serve --fleet-host, or stop the other one.',
}

const errorIn = ({ code, message, details }: Refused): ErrorObject =>
  failure(isFailureCode(code) ? code : 'INTERNAL_ERROR', message, {
    ...(details ? { details: details as Record<string, unknown> } : {}),
    hint: HINTS[code],
  })

/** `onRefused` is called when a member is one no longer, since another process has the id of its host. */
export const createMembershipActor = (options: FleetMemberOptions, onRefused: () => void) => {
  const { address, instance, clock, note } = options
  const { self: host, names } = address
  const target = {
    id: ID,
    machine: 'membership',
    input: { fleet: names.fleet },
    ownershipKey: ID,
    note: { host, fleet: names.fleet },
  }
  const isOurs = (emitted: MembershipEmitted) => 'instance' in emitted && emitted.instance === instance

  /** Nobody waits for what happens to a member after it joined. */
  const tellOfTheEnd = () =>
    options.host().onEmitted((id, emitted) => {
      const event = emitted as MembershipEmitted
      if (id !== ID || !isOurs(event)) return
      if (event.type === 'fleet.refused') {
        note(`fleet: ${event.message} This host serves local callers only.`)
        onRefused()
      }
      if (event.type === 'fleet.drained')
        note('fleet: this host is drained; start it anew to have it take requests again')
    })

  let claimedAt: number | undefined
  /** Looks at the records of all processes of this home that were members. */
  const firstClaim = (): number | undefined =>
    options
      .journal()
      .records({ actor: ID, limit: FIRST_RECORDS })
      .find(({ event }) => event.type === 'host.claimed')?.at

  return {
    /** How long ago a process of this home was first a member; 0 when none ever was. */
    memberForMs() {
      claimedAt ??= firstClaim()
      return claimedAt === undefined ? 0 : clock.now() - claimedAt
    },
    /** `outside`, `joining`, `serving`, `draining`, ... as the chart has it. */
    state() {
      const snapshot = options.host().snapshot(ID) as Snapshot | undefined
      const value = snapshot?.value ?? 'outside'
      return typeof value === 'string' ? value : value.inside
    },
    async tell(event: Unstamped<MembershipEvent>) {
      await options.host().tell(target, event)
    },
    /** Resolves once it is a member or the servers do not answer yet; an error when it may not be one. */
    async join(allowsUnsafe: boolean): Promise<ErrorObject | undefined> {
      const outcome = await options
        .host()
        .ask<MembershipEmitted>(
          target,
          { type: 'join.requested', fleet: names.fleet, host, instance, allowsUnsafe },
          { matches: isOurs, until: clock.now() + FLEET_JOIN_MS },
        )
      if (outcome.kind === 'held') {
        const { pid } = outcome.lease.holder
        const hint =
          'Give each its own SVC_HOME and an id of its own with svc serve --fleet-host, or stop the other one.'
        const message = `Process ${pid} with the same home is a host of a fleet already.`
        return failure('FLEET_HOST_TAKEN', message, { details: { host, pid }, hint })
      }
      if (outcome.kind === 'unrecorded') return failure('JOURNAL_UNAVAILABLE', outcome.error.message)
      if (outcome.kind === 'answered' && outcome.emitted.type === 'fleet.refused') return errorIn(outcome.emitted)
      if (outcome.kind === 'answered' && outcome.emitted.type === 'fleet.awaited') {
        note(`fleet: ${outcome.emitted.message} Local callers are served; joining goes on.`)
      }
      tellOfTheEnd()
      return undefined
    },
  }
}

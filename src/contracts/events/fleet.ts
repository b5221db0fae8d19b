/** The journal vocabulary of a host in a fleet, and of the phones it owns there. */
import * as v from 'valibot'
import { event, PortFailed, text, time } from './event.ts'

export const MembershipEvent = v.variant('type', [
  event('join.requested', { fleet: text, host: text, instance: text, allowsUnsafe: v.boolean() }),
  event('fleet.unreachable', { message: text }),
  /** The servers answer, and refuse who we say we are. */
  event('fleet.unauthorized', { message: text }),
  event('servers.reached', { version: text }),
  /** `unsafe` says why not, each as a sentence. */
  event('servers.judged', { isSafe: v.boolean(), unsafe: v.array(text) }),
  event('host.claimed', { epoch: time }),
  /** A live process has the id of this host. */
  event('host.taken', { instance: text, pid: v.nullable(time) }),
  /** It is no longer proven that nobody else may have taken over what this host owns. */
  event('lease.lapsed', { message: text }),
  event('drain.requested', {}),
  event('work.ended', {}),
  event('leave.requested', {}),
  event('fleet.left', {}),
  event('request.interrupted', {}),
  PortFailed,
])
export type MembershipEvent = v.InferOutput<typeof MembershipEvent>

export const OwnershipEvent = v.variant('type', [
  /** The debug bridge of this host lists the phone as ready. */
  event('phone.seen', { serial: text }),
  event('phone.claimed', { epoch: time }),
  /** Another host owns it. */
  event('phone.held', { host: text, epoch: time }),
  /** The owner has released the phone, or is dead and fenced. */
  event('holder.gone', { host: text }),
  /** The debug bridge of this host lists it as ready no longer, or this host leaves the fleet. */
  event('phone.gone', {}),
  event('phone.released', {}),
  /** Every phone that this host owns lapses with its lease. `isShared`: another host is known to see the phone, too. */
  event('lease.lapsed', { message: text, isShared: v.boolean() }),
  event('lease.proven', { epoch: time }),
  event('request.interrupted', {}),
  PortFailed,
])
export type OwnershipEvent = v.InferOutput<typeof OwnershipEvent>

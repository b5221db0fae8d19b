/** The last question before bytes leave for a phone: whether this host may act on it now. */
import { failure } from '../contracts/failures.ts'
import type { Fence } from '../contracts/fence.ts'
import type { KnownHost } from './directory.ts'
import type { HostLease } from './host-lease.ts'
import type { Phones } from './ownership-ports.ts'

export interface FenceOptions {
  host: string
  phones: Pick<Phones, 'of'>
  lease: Pick<HostLease, 'isProven'>
  /** Of the membership. */
  state(): string
  hosts(): readonly KnownHost[]
}

export const createFence = ({ host, phones, lease, state, hosts }: FenceOptions): Fence => {
  /** Whether another host has been seen with the same phone: then a cable proves nothing. */
  const isShared = (phone: string) =>
    hosts().some(({ record }) => record.host !== host && record.devices.some(device => device.phone === phone))

  const gone = (message: string, owner: string | null) =>
    failure('FLEET_HOST_GONE', message, { details: { host, owner, dispatched: false } })

  return {
    refusal(phone, sentUnder) {
      const found = phones.of(phone)
      const isOwned = found?.state === 'owned' && lease.isProven()
      if (found?.state === 'elsewhere')
        return gone(`Host ${found.holder} owns the phone, and not this one.`, found.holder)
      if (isOwned && (typeof sentUnder !== 'number' || sentUnder === found.epoch)) return undefined
      if (isOwned) return gone('The phone changed its owner since the request was sent.', host)
      if (sentUnder !== undefined) return gone('This host cannot prove at the moment that it owns the phone.', null)
      // A caller of this host, and a phone that nobody else is known to reach: the cable is the proof.
      if (!isShared(phone)) return undefined
      return failure(
        'FLEET_UNREACHABLE',
        `Another host sees the same phone, and this one (${state()}) cannot prove that it owns it.`,
        { details: { host, dispatched: false }, hint: 'svc fleet status shows whether the NATS servers answer.' },
      )
    },
  }
}

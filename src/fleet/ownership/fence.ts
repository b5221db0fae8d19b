/** The last question before bytes leave for a phone: whether this host may act on it now. */

import { failure } from '../../contracts/failures/failures.ts'
import { hostAndPort } from '../../device/link/addresses.ts'
import type { Fence, PhoneOwner } from '../../service/executions/fence.ts'
import type { HostClaimKeeper } from '../membership/host-claim.ts'
import { createLeftLists, type LeftListsOptions } from './left-lists.ts'
import type { Phones } from './ownership-ports.ts'

export interface FenceOptions extends Pick<LeftListsOptions, 'clock' | 'lookup'> {
  /** The way to ask another host about a phone that it owns. */
  askOwner(host: string, phone: string): PhoneOwner['ask']
  host: string
  phones: Pick<Phones, 'of'>
  lease: Pick<HostClaimKeeper, 'isProven'>
  /** The state of the membership. */
  state(): string
  /** True when another host has been seen with the same phone: then a cable proves nothing. */
  isShared(phone: string): boolean
}

const THIS_MACHINE = ['127.0.0.1', 'localhost', '::1']

/** Reached over a network, as any host may: by an address of another machine, or a name that it announces. */
export const isOnNetwork = (serial: string): boolean => {
  const address = hostAndPort(serial)
  return address ? !THIS_MACHINE.includes(address.host) : /\._adb[\w-]*\._tcp\.?$/.test(serial)
}

export const createFence = ({ host, phones, lease, state, isShared, clock, lookup, askOwner }: FenceOptions): Fence => {
  const gone = (message: string, owner: string | null) =>
    failure('FLEET_HOST_GONE', message, {
      details: { host, owner, dispatched: false },
      hint: 'See `GET /devices` for the host that has the phone now, and send the request again with that id.',
    })

  const ownedAs = (phone: string): number | undefined => {
    const found = phones.of(phone)
    return found?.state === 'owned' && lease.isProven() ? found.epoch : undefined
  }

  return {
    epochOf: ownedAs,
    ownerElsewhere(phone) {
      const { state, holder } = phones.of(phone) ?? {}
      return state === 'elsewhere' && holder ? { host: holder, ask: askOwner(holder, phone) } : undefined
    },
    leftOn: createLeftLists({ host, clock, epochOf: ownedAs, lookup }),
    refusal(phone, { epoch, isSent = false, serial }) {
      const found = phones.of(phone)
      if (found?.state === 'elsewhere')
        return gone(`Host ${found.holder} owns the phone, and not this one.`, found.holder)
      const now = ownedAs(phone)
      if (now !== undefined && (epoch === undefined || epoch === now)) return undefined
      // A caller of this host, and a phone that nobody else is known to reach: the cable is the proof.
      const isCable = !isShared(phone) && (serial === undefined || !isOnNetwork(serial))
      if (!isSent && isCable) return undefined
      // In between, others may have acted on it.
      if (now !== undefined) return gone('The phone changed its owner since the request was accepted.', host)
      if (isSent) return gone('This host cannot prove at the moment that it owns the phone.', null)
      return failure(
        'FLEET_UNREACHABLE',
        `Other hosts may reach the same phone, and this one (${state()}) cannot prove that it owns it.`,
        { details: { host, dispatched: false }, hint: 'See `GET /fleet` for whether the NATS servers answer.' },
      )
    },
  }
}

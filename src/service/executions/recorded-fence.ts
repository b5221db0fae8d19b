/** Reads the owner of a phone from the records of the process of this host that is in a fleet. */

import { failure } from '../../contracts/failures/failures.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Fence } from './fence.ts'

const ELSEWHERE = 'known.elsewhere'
const DOUBTFUL = 'known.doubtful'

export const recordedFence = (journal: () => Pick<Journal, 'last' | 'leases' | 'records'>): Fence => ({
  epochOf: () => undefined,
  // Commands do not reach the fleet: the server of this machine asks the other hosts.
  ownerElsewhere: () => undefined,
  leftOn: () => undefined,
  refusal(phone) {
    const actor = `ownership:${phone.replace(/^device:/, '')}`
    const newest = journal().last(actor)
    const isElsewhere = newest?.to === ELSEWHERE
    const isUnproven = newest?.to === DOUBTFUL && newest.event.isShared === true
    if (!isElsewhere && !isUnproven) return undefined
    // The knowledge of a dead process about its fleet is out of date.
    if (!journal().leases.owner(actor)) return undefined
    if (isUnproven) {
      return failure(
        'FLEET_UNREACHABLE',
        'Another host of the fleet sees the same phone, and this one cannot prove that it owns it.',
        { details: { dispatched: false }, hint: 'See `GET /fleet` for whether the NATS servers answer.' },
      )
    }
    const owner = newest.event.type === 'phone.held' ? String(newest.event.host) : undefined
    const problem =
      owner === undefined ? 'Another host of the fleet owns the phone' : `Host ${owner} of the fleet owns the phone`
    return failure('FLEET_HOST_GONE', `${problem}.`, {
      details: { ...(owner === undefined ? {} : { owner }), dispatched: false },
      hint: 'Send the request to the svc serve of this machine, which passes it on.',
    })
  },
})

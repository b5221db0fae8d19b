/** What another process of this host, the one that is in a fleet, has recorded of who owns a phone. */
import { failure } from '../contracts/failures.ts'
import type { Fence } from '../contracts/fence.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { isAlive } from '../runtime/processes.ts'

const ELSEWHERE = 'known.elsewhere'

export const recordedFence = (journal: () => Pick<Journal, 'last' | 'leases' | 'records'>): Fence => ({
  epochOf: () => undefined,
  refusal(phone) {
    const actor = `ownership:${phone.replace(/^device:/, '')}`
    const newest = journal().last(actor)
    if (newest?.to !== ELSEWHERE) return undefined
    const lease = journal().leases.read(actor)
    // What a dead process knew of a fleet is not true any more.
    if (!lease || !isAlive(lease.holder)) return undefined
    const owner = newest.event.type === 'phone.held' ? String(newest.event.host) : undefined
    const said =
      owner === undefined ? 'Another host of the fleet owns the phone' : `Host ${owner} of the fleet owns the phone`
    return failure('FLEET_HOST_GONE', `${said}.`, {
      details: { ...(owner === undefined ? {} : { owner }), dispatched: false },
      hint: 'Send the request to the svc serve of this machine, which passes it on.',
    })
  },
})

/** Lists that an earlier owner has left on the phones of this host: looked up once after each claim, by the first who acts. */
import { busyUntilOf } from '../../../machines/device/device-doubts.ts'
import { EVIDENCE_ASK_MS } from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Fence, LeftList } from '../../service/executions/fence.ts'
import type { SentList } from '../log/sent-lists.ts'

export interface LeftListsOptions {
  host: string
  clock: Clock
  epochOf: Fence['epochOf']
  /** The newest list that any host has sent to the phone. Rejects while the servers do not say. */
  lookup(phone: string): Promise<SentList | undefined>
}

interface LookedUp {
  epoch: number
  /** Undefined once nothing is left. */
  list: Promise<LeftList | undefined> | undefined
}

export const createLeftLists = ({ host, clock, epochOf, lookup }: LeftListsOptions): Fence['leftOn'] => {
  const phones = new Map<string, LookedUp>()

  const lookUp = (phone: string, epoch: number): Promise<LeftList | undefined> => {
    const looked: LookedUp = { epoch, list: undefined }
    const forget = () => {
      looked.list = undefined
    }
    const isLate = new AbortController()
    const find = async (): Promise<LeftList | undefined> => {
      const found = await Promise.race([lookup(phone), pause(clock, EVIDENCE_ASK_MS, isLate.signal).then(() => null)])
      // The next one who acts on the phone looks again.
      if (found === null) phones.delete(phone)
      // The doubts of this host are in its own journal.
      if (!found || found.host === host) return void forget()
      // The clock of the other host may differ: no list runs longer than from now on.
      return { ...found, busyUntil: busyUntilOf({ ...found, dispatchedAt: clock.now() }), forget }
    }
    looked.list = find()
      .catch(() => {
        phones.delete(phone)
        return undefined
      })
      .finally(() => isLate.abort())
    phones.set(phone, looked)
    return looked.list
  }

  return phone => {
    const epoch = epochOf(phone)
    if (epoch === undefined) return undefined
    const known = phones.get(phone)
    return known?.epoch === epoch ? known.list : lookUp(phone, epoch)
  }
}

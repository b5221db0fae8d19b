/** Finds the executions in doubt in the states of their devices. These are read again only where something was recorded. */
import { type Doubt, doubtsOf, isYoung } from '../../../../machines/device/device-doubts.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { readableOr } from '../../../runtime/journal/reading.ts'

export interface DoubtfulDevicesOptions {
  host: Pick<Host, 'follow'>
  journal: Pick<Journal, 'head' | 'actors'>
  clock: Clock
}

interface SeenDevice {
  /** Its newest record when it was looked at. */
  seq: number
  doubts: readonly Doubt[]
}

/** The function returns those of which the phones may tell more. Throws JournalError. */
export const createDoubtfulDevices = ({ host, journal, clock }: DoubtfulDevicesOptions): (() => Doubt[]) => {
  const devices = new Map<string, SeenDevice>()
  let head: number | undefined

  const lookAgain = () => {
    for (const { actor, seq } of journal.actors({ machine: 'device' })) {
      if (devices.get(actor)?.seq === seq) continue
      const follower = host.follow({ id: actor, machine: 'device' })
      devices.set(actor, { seq, doubts: readableOr([], () => doubtsOf(follower.look().snapshot)) })
    }
  }

  return () => {
    const newest = journal.head()
    if (newest !== head) lookAgain()
    head = newest
    return [...devices.values()].flatMap(({ doubts }) => doubts.filter(doubt => isYoung(doubt, clock.now())))
  }
}

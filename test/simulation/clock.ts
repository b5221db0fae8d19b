/** The clock and the chance of an owner, as its services see them. */
import type { Clock } from '../../src/runtime/clock.ts'
import type { Ids } from '../../src/runtime/ids.ts'
import type { Random } from '../long/trial/random.ts'
import type { Owner, Scheduler } from './scheduler.ts'

/** Times that look like times: records and viewers read them. */
export const EPOCH = Date.UTC(2023, 0, 2, 3, 4, 5)

/** A timer that keeps its process, and one that does not. */
export const TIMER = 'timer'
const IDLE_TIMER = 'idle timer'

/** The wall clock of a host, which somebody may set. */
export interface Wall {
  setBy: number
}

export const ownedClock = (scheduler: Scheduler, owner: Owner, wall: Wall): Clock => {
  const now = () => EPOCH + scheduler.now() + wall.setBy
  return {
    now,
    elapsed: scheduler.now,
    at: (at, call, { idle = false } = {}) => scheduler.post(owner, at - now(), idle ? IDLE_TIMER : TIMER, call),
    soon: call => void scheduler.post(owner, 0, 'turn', call),
  }
}

const hex = (random: Random, digits: number): string => {
  let text = ''
  while (text.length < digits) text += random.int(0, 0xffff).toString(16).padStart(4, '0')
  return text.slice(0, digits)
}

export const ownedIds = (random: Random): Ids => {
  const tail = () => `${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`
  return {
    at: now => {
      const time = now.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${tail()}`
    },
    instance: () => `${hex(random, 8)}-${hex(random, 4)}-4${tail()}`,
  }
}

/**
 * The queue of a device as all waiting requests of this process see it: one look for each change, and the removal of
 * those that will not take their turn.
 */

import { IN_FLIGHT } from '../../../../machines/definition.ts'
import { inTurn, queueOf, type WaitingExecution } from '../../../../machines/device/device-queue.ts'
import type { LeftBecause } from '../../../contracts/events/device.ts'
import { TURN_MS } from '../../../contracts/limits/limits.ts'
import type { JournalRecord, Ownership } from '../../../contracts/records/journal.ts'
import { leaseIdIn, reservedKey } from '../../../contracts/reservation-grant.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import type { Journal, Subscription } from '../../../runtime/journal/journal.ts'
import type { Liveness } from '../../../runtime/ownership/ownership.ts'
import { endOverdueOn } from '../../reservations/end-expired.ts'

export interface WaitingRoomOptions {
  host: Pick<Host, 'appendAsGuest' | 'endForOwner' | 'follow' | 'holder' | 'recover'>
  journal: Pick<Journal, 'subscribe' | 'leases'>
  clock: Clock
  mayLive: Liveness
}

/** The device and its queue at one moment. */
export interface QueueView {
  queue: readonly WaitingExecution[]
  /** Nobody has the device. */
  isFree: boolean
  /** The reservation that holds the phone. */
  reserved: Ownership | undefined
  /** The request that may take the device now. */
  next: WaitingExecution | undefined
  /** The execution that has it. */
  current: { executionId: string; commandId: string; acceptedAt: number } | null
}

export interface WaitingRoom {
  /** As it was at the last change. Throws JournalError. */
  view(): QueueView
  /** As it is now. Throws JournalError. */
  look(): QueueView
  /** Resolves at the next change, or within a second. */
  change(): Promise<void>
}

/** How often dead owners and dead waiting processes are looked for, which record no end. */
const LOOK_MS = 1_000
/** The process of a request has looked at it a few times by then. */
const OWN_LOOKS_MS = 3 * LOOK_MS

export const deviceTarget = (serial: string) => ({ id: `device:${serial}`, machine: 'device', input: { serial } })

export const createWaitingRooms = ({ host, journal, clock, mayLive }: WaitingRoomOptions) => {
  interface Room {
    waiters: number
    wake(): void
    tick(): void
    room: WaitingRoom
  }
  const rooms = new Map<string, Room>()
  let subscription: Subscription | undefined
  let timer: Timer | undefined

  const isInTime = ({ acceptedAt, waitMs }: WaitingExecution): boolean =>
    Math.abs(clock.now() - acceptedAt) < waitMs + TURN_MS

  /** One in another container cannot be seen: it counts as gone when its time is over. */
  const lives = (one: WaitingExecution): boolean => mayLive(one.holder) ?? isInTime(one)

  const remove = async (serial: string, { executionId }: WaitingExecution, why: LeftBecause): Promise<void> =>
    host.appendAsGuest(deviceTarget(serial), { type: 'execution.left', executionId, why })

  const createRoom = (serial: string, ownershipKey: string): Room => {
    const target = deviceTarget(serial)
    const follower = host.follow(target)
    let seen: QueueView | undefined
    let wakeAll = () => {}
    let changed = new Promise<void>(resolve => {
      wakeAll = resolve
    })
    /** The request whose turn it is, since when the device has been free for it. */
    let turn: { executionId: string; since: number } | undefined

    const view = (): QueueView => {
      const { snapshot } = follower.look()
      const current = (snapshot?.context as Pick<QueueView, 'current'> | undefined)?.current ?? null
      const isFree = snapshot?.hasTag(IN_FLIGHT) !== true && journal.leases.owner(ownershipKey) === undefined
      const reserved = journal.leases.owner(reservedKey(ownershipKey))
      const queue = queueOf(snapshot)
      const [first] = inTurn(queue, reserved && leaseIdIn(reserved))
      return { queue, isFree, reserved, next: isFree ? first : undefined, current }
    }

    const wake = () => {
      seen = undefined
      const wakeNow = wakeAll
      changed = new Promise(resolve => {
        wakeAll = resolve
      })
      wakeNow()
    }

    /** Dead requests go at once; a first one that does not take the device goes after a while. */
    const clear = async (): Promise<void> => {
      const { queue, next: first } = view()
      if (!first) turn = undefined
      else if (turn?.executionId !== first.executionId)
        turn = { executionId: first.executionId, since: clock.elapsed() }
      for (const one of queue) if (!lives(one)) await remove(serial, one, 'gone')
      // While it is alone it keeps nobody waiting.
      if (!first || !turn || queue.length === 1) return
      const missedMs = clock.elapsed() - turn.since - TURN_MS
      const isOfItsProcess = ({ holder }: WaitingExecution) => holder.instance === first.holder.instance
      if (first.holder.instance === host.holder.instance) {
        if (missedMs >= 0) await remove(serial, first, 'missed')
      } else if (missedMs >= OWN_LOOKS_MS) {
        // A process that lives has removed it by now: this one hangs, and would miss every further turn.
        for (const one of queue.filter(isOfItsProcess)) await remove(serial, one, 'missed')
      }
    }

    let isLooking = false
    const tick = () => {
      wake()
      if (isLooking) return
      isLooking = true
      // What a dead owner left is settled, and a reservation that is over, which frees the device. A journal that fails is
      // looked at again.
      host
        .recover({ actor: target.id })
        .then(() => endOverdueOn(ownershipKey, { host, journal, clock }))
        .then(clear)
        .catch(() => {})
        .finally(() => {
          isLooking = false
        })
    }

    const room: WaitingRoom = {
      look: () => {
        seen = view()
        return seen
      },
      view: () => {
        seen ??= view()
        return seen
      },
      change: () => changed,
    }
    return { waiters: 0, wake, tick, room }
  }

  const hear = (records: readonly JournalRecord[]) => {
    // The end of a reservation changes whose turn it is.
    if (records.some(({ machine }) => machine === 'reservation')) for (const { wake } of rooms.values()) wake()
    else for (const actor of new Set(records.map(record => record.actor))) rooms.get(actor)?.wake()
  }
  const lookAtAll = () => {
    for (const { tick } of rooms.values()) tick()
    timer = clock.at(clock.now() + LOOK_MS, lookAtAll)
  }
  const begin = () => {
    subscription = journal.subscribe(hear)
    timer = clock.at(clock.now() + LOOK_MS, lookAtAll)
  }
  const end = () => {
    subscription?.close()
    timer?.cancel()
    subscription = undefined
    timer = undefined
  }

  return {
    /** `phone` is the key under which the device is owned. Call `leave` when the waiting is over. */
    enter(serial: string, ownershipKey: string): { room: WaitingRoom; leave(): void } {
      if (rooms.size === 0) begin()
      const { id } = deviceTarget(serial)
      const entered = rooms.get(id) ?? createRoom(serial, ownershipKey)
      rooms.set(id, entered)
      entered.waiters += 1
      return {
        room: entered.room,
        leave() {
          entered.waiters -= 1
          if (entered.waiters > 0) return
          rooms.delete(id)
          if (rooms.size === 0) end()
        },
      }
    },
    /**
     * Removes the requests whose processes have ended, and of a free device those that have not taken it although their
     * time is over: their processes hang. Says whether there were any. Rejects with JournalError.
     */
    async settleDead(serial: string): Promise<boolean> {
      const { snapshot } = host.follow(deviceTarget(serial)).look()
      const isFree = snapshot?.hasTag(IN_FLIGHT) !== true
      const whyOf = (one: WaitingExecution): LeftBecause | undefined =>
        lives(one) ? (isFree && !isInTime(one) ? 'missed' : undefined) : 'gone'
      const dead = queueOf(snapshot).flatMap(one => {
        const why = whyOf(one)
        return why ? [{ one, why }] : []
      })
      for (const { one, why } of dead) await remove(serial, one, why)
      return dead.length > 0
    },
  }
}

export type WaitingRooms = ReturnType<typeof createWaitingRooms>

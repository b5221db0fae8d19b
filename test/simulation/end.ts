/** The end of a trial: everything is closed, what is left is noted, and the hosts and phones are read for the story. */
import { isActor } from '../../src/contracts/records/machines.ts'
import { recordsAfter } from '../../src/runtime/journal/reading.ts'
import { toTransition } from '../../src/runtime/transitions.ts'
import { executionOf } from '../laws/laws.ts'
import { ranAt } from '../laws/ran.ts'
import type { Story } from '../laws/story.ts'
import { EPOCH, TIMER } from './clock.ts'
import type { Disk } from './host/disk.ts'
import type { Slot } from './host/processes.ts'
import type { DeviceEvent } from './laws/queue-laws.ts'
import type { PhoneHost } from './phone/phone.ts'
import type { Ask } from './plan/plan.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import type { Busy, Left, World } from './world.ts'

interface EndOptions {
  scheduler: Scheduler
  harness: Owner
  slots: readonly Slot[]
  left: Left[]
  /** Called before the process of a slot closes. */
  onClose?(slot: Slot): void
  /** Everything that was asked is answered. */
  isQuiet(): boolean
}

export const scheduleEnd = ({ scheduler, harness, slots, left, onClose, isQuiet }: EndOptions) => {
  const { post } = scheduler
  let stopped = 0
  return {
    /** Notes the timers that run although nothing is asked of anybody. */
    restAt(at: number) {
      post(harness, at, 'rests', () => {
        if (!isQuiet()) return
        for (const { life } of slots) {
          const timers = life ? scheduler.waiting(life.owner).filter(what => what.startsWith(TIMER)) : []
          if (life)
            left.push(...timers.map(what => ({ owner: life.owner.name, what: `${what}, once all was answered` })))
        }
      })
    },
    stopAt(at: number) {
      post(harness, at, 'stops', () => {
        for (const slot of slots) {
          const { life } = slot
          if (!life || life.owner.isDead) continue
          post(life.owner, 0, 'closes', () => {
            onClose?.(slot)
            life.services.close().then(
              () => {
                stopped += 1
              },
              error => void left.push({ owner: life.owner.name, what: `closing failed: ${error}` }),
            )
          })
        }
      })
    },
    /** Once the world has stopped. */
    judge(outcome: 'idle' | 'time' | 'steps', phones: readonly PhoneHost[], disks: readonly Disk[]) {
      if (outcome === 'steps') left.push({ owner: 'world', what: 'the world never comes to rest' })
      const alive = slots.flatMap(({ life }) => (life && !life.owner.isDead ? [life] : []))
      if (stopped < alive.length)
        left.push({ owner: 'world', what: `${alive.length - stopped} processes do not close` })
      for (const { owner } of alive) {
        for (const what of scheduler.waiting(owner)) left.push({ owner: owner.name, what })
        for (const phone of phones) {
          const [open, links] = [phone.openServices(owner), phone.openLinks(owner)]
          if (open > 0) left.push({ owner: owner.name, what: `${open} services open on ${phone.serial}` })
          if (links > 0) left.push({ owner: owner.name, what: `${links} links to ${phone.serial}` })
        }
      }
      for (const disk of disks)
        for (const { key } of disk.store().leases.list())
          left.push({ owner: disk.owner.name, what: `the lease ${key}` })
    },
  }
}

/** From now on nothing dies or stands still, and every phone does as it is told. */
export const calmDown = (slots: readonly Slot[], phones: readonly PhoneHost[]): void => {
  for (const { life } of slots) {
    if (!life) continue
    life.owner.diesAtUse = undefined
    life.owner.frozenUntil = 0
  }
  for (const phone of phones) phone.calmDown()
}

export const busyTimes = (phones: readonly PhoneHost[]): Busy[] =>
  phones.flatMap(({ phone }, index) =>
    phone.executions().map(({ wireId, at, finishedAt }) => ({
      phone: index,
      executionId: executionOf({ wireId }),
      from: at - EPOCH,
      until: finishedAt === undefined ? undefined : finishedAt - EPOCH,
    })),
  )

export const begunAt = (disks: readonly Disk[]): World['begun'] =>
  disks.flatMap((disk, host) => disk.begun.map(one => ({ ...one, host: `h${host}` })))

/** What phones saw and journals hold. */
export const storyOfHosts = (
  disks: readonly Disk[],
  phones: readonly PhoneHost[],
): Pick<Story, 'seen' | 'ran' | 'journals' | 'receipts'> => {
  const serialnos = phones.map((_, index) => `SERIAL${index}`)
  const hosts = disks.map((disk, index) => {
    const store = disk.store()
    const records = [...recordsAfter(store, 0, {})]
    const host = `h${index}`
    return {
      ran: ranAt(host, records, store, serialnos),
      journal: { host, transitions: records.filter(isActor).map(record => ({ ...toTransition(record), host })) },
      receipts: store.receipts({ limit: 1_000 }),
    }
  })
  return {
    seen: phones.flatMap(({ phone }, index) =>
      phone.arrivals().map(({ wireId, at }) => ({ phone: index, wireId, at })),
    ),
    ran: hosts.flatMap(({ ran }) => ran),
    journals: hosts.map(({ journal }) => journal),
    receipts: hosts.flatMap(({ receipts }, index) =>
      receipts.map(own => ({ executionId: own.executionId, owner: `h${index}`, own, byHost: {} })),
    ),
  }
}

/** What journals have of the queues of devices. */
export const queueEventsOf = (disks: readonly Disk[]): DeviceEvent[] =>
  disks.flatMap((disk, index) =>
    [...recordsAfter(disk.store(), 0, {})]
      .filter(({ machine }) => machine === 'device')
      .map(({ actor, event, from, to, at }): DeviceEvent => {
        const { type, executionId, holder, waitMs, leaseId } = event
        const { pid } = (holder ?? {}) as { pid?: number }
        return {
          ...{
            queue: `h${index} ${actor}`,
            host: `h${index}`,
            type,
            executionId: String(executionId),
            at: at - EPOCH,
            pid,
          },
          isAccepted: type === 'execution.requested' && from === 'idle' && to !== from,
          leaseId: typeof leaseId === 'string' ? leaseId : undefined,
          waitMs: typeof waitMs === 'number' ? waitMs : undefined,
        }
      }),
  )

export const waitsOf = (asks: readonly Ask[]): Record<string, number> =>
  Object.fromEntries(asks.map(({ command, waitMs = 0 }) => [command, waitMs]))

export const summed = (counts: readonly Record<string, number>[]): Record<string, number> => {
  const sum: Record<string, number> = {}
  for (const one of counts) for (const [row, count] of Object.entries(one)) sum[row] = (sum[row] ?? 0) + count
  return sum
}

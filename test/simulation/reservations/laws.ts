/** The laws of reservations, judged by what journals recorded, in their order. */
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import type { Violation } from '../../laws/laws.ts'
import { EPOCH } from '../clock.ts'
import type { Disk } from '../host/disk.ts'
import type { Death } from '../world.ts'

interface LiveReservation {
  leaseId: string
  /** Virtual ms, by the clock of the host. */
  from: number
  /** When the disk had the record of that. */
  takenAt: number
  /** When the disk had the record with which the time of its caller, or the wait before it, began last. */
  begunAt: number
  /** How long that is. */
  forMs?: number
  /** The time of its caller is over. Nothing while what runs on the phone is waited for. */
  endsAt?: number
  /** How long what runs on the phone is waited for, until the caller has it. */
  waitsUntil?: number
}

/** Of a record: by the clock of its host, and when the disk had it. Virtual ms. */
interface Moment {
  at: number
  writtenAt: number
}

interface JudgeOptions {
  disks: readonly Disk[]
  deaths: readonly Death[]
  /** Clocks were set: the times of records say little, and those of the disk are looked at. */
  isClockSet: boolean
}

/** A record has the time of its event, and a disk that is slow has it that much later. */
const WRITE_MS = 2_000
/** Each of them begins the time of the caller. */
const BEGINS_TIME: ReadonlySet<string> = new Set(['reservation.taken', 'phone.cleared', 'reservation.extended'])

/**
 * Law 4: no execution of a stranger is begun while a reservation is live, none of its caller after its end, and no phone
 * has two of them.
 */
export const judgeReservations = ({ disks, deaths, isClockSet }: JudgeOptions): Violation[] =>
  disks.flatMap(disk => {
    const violations: Violation[] = []
    /** By serial: on a simulated host each phone has one. */
    const live = new Map<string, LiveReservation>()
    const devices = new Map<string, string>()
    const forMs = new Map<string, number>()
    /** A process that dies records no end: what comes after it may be of the next owner. */
    const mayBeDead = ({ from, takenAt }: LiveReservation, { at: now, writtenAt }: Moment) =>
      deaths.some(({ at }) =>
        isClockSet ? at >= takenAt - WRITE_MS && at <= writtenAt + WRITE_MS : at >= from - 1 && at <= now + WRITE_MS,
      )
    /**
     * A process whose disk is full frees the phone in time, and cannot record that. Its time passes by a clock that nobody sets;
     * other processes end what is overdue by the wall clock.
     */
    const mayBeOver = (one: LiveReservation, moment: Moment) =>
      mayBeDead(one, moment) ||
      moment.at >= (one.endsAt ?? one.waitsUntil ?? Number.POSITIVE_INFINITY) ||
      (isClockSet && moment.writtenAt >= one.begunAt + (one.forMs ?? Number.POSITIVE_INFINITY) - WRITE_MS)
    for (const { seq, actor, machine, event, from, to, at: time } of recordsAfter(disk.store(), 0, {})) {
      const at = time - EPOCH
      const moment: Moment = { at, writtenAt: disk.writtenAt(seq) ?? at }
      if (machine === 'reservation') {
        const leaseId = actor.slice('reservation:'.length)
        if (typeof event.deviceId === 'string') devices.set(leaseId, event.deviceId)
        const device = devices.get(leaseId) ?? ''
        const before = live.get(device)
        if (to.startsWith('held') && !from.startsWith('held')) {
          if (before && before.leaseId !== leaseId && !mayBeOver(before, moment))
            violations.push({ law: 4, about: leaseId, says: `${device} was reserved by ${before.leaseId} already` })
          const clearMs = Number(event.clearMs ?? 0)
          const waiting = clearMs > 0 ? { waitsUntil: at + clearMs, forMs: clearMs } : {}
          live.set(device, { leaseId, from: at, takenAt: moment.writtenAt, begunAt: moment.writtenAt, ...waiting })
          if (typeof event.forMs === 'number') forMs.set(leaseId, event.forMs)
        } else if (from.startsWith('held') && !to.startsWith('held') && before?.leaseId === leaseId) live.delete(device)
        const now = live.get(device)
        if (now?.leaseId === leaseId && BEGINS_TIME.has(event.type) && to === 'held.ready') {
          if (event.type === 'reservation.extended') forMs.set(leaseId, Number(event.forMs))
          now.forMs = forMs.get(leaseId) ?? 0
          now.begunAt = moment.writtenAt
          now.endsAt = at + now.forMs
        }
      }
      const isBegun = machine === 'device' && event.type === 'execution.requested' && from === 'idle' && to !== from
      if (!isBegun) continue
      const holder = live.get(actor.slice('device:'.length))
      const about = String(event.executionId)
      if (event.leaseId !== undefined && holder?.leaseId !== event.leaseId)
        violations.push({
          law: 4,
          about,
          says: `it was begun for lease ${event.leaseId}, which did not hold the phone`,
        })
      if (event.leaseId !== undefined && !isClockSet && holder?.endsAt !== undefined && at >= holder.endsAt)
        violations.push({ law: 4, about, says: `it was begun for lease ${event.leaseId} after the end of that` })
      if (event.leaseId === undefined && holder && !mayBeOver(holder, moment))
        violations.push({ law: 4, about, says: `it was begun although lease ${holder.leaseId} held the phone` })
    }
    return violations
  })

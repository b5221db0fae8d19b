/** The laws of reservations, judged by what journals recorded, in their order. */
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import type { Violation } from '../../laws/laws.ts'
import { EPOCH } from '../clock.ts'
import type { Disk } from '../disk.ts'
import type { Death } from '../world.ts'

interface LiveReservation {
  leaseId: string
  /** Virtual ms, by the clock of the host. */
  from: number
}

interface JudgeOptions {
  disks: readonly Disk[]
  deaths: readonly Death[]
  /** Clocks were set: times say nothing. */
  isClockSet: boolean
}

/** Law 4: no execution of a stranger is begun while a reservation is live, and no phone has two of them. */
export const judgeReservations = ({ disks, deaths, isClockSet }: JudgeOptions): Violation[] =>
  disks.flatMap(disk => {
    const violations: Violation[] = []
    /** By serial: on a simulated host each phone has one. */
    const live = new Map<string, LiveReservation>()
    const devices = new Map<string, string>()
    /** A process that dies records no end: what comes after it may be of the next owner. */
    const mayBeDead = ({ from }: LiveReservation, now: number) =>
      deaths.some(({ at }) => isClockSet || (at >= from - 1 && at <= now + 1))
    for (const { actor, machine, event, from, to, at: time } of recordsAfter(disk.store(), 0, {})) {
      const at = time - EPOCH
      if (machine === 'reservation') {
        const leaseId = actor.slice('reservation:'.length)
        if (typeof event.deviceId === 'string') devices.set(leaseId, event.deviceId)
        const device = devices.get(leaseId) ?? ''
        const before = live.get(device)
        if (to.startsWith('held') && !from.startsWith('held')) {
          if (before && before.leaseId !== leaseId && !mayBeDead(before, at))
            violations.push({ law: 4, about: leaseId, says: `${device} was reserved by ${before.leaseId} already` })
          live.set(device, { leaseId, from: at })
        } else if (from.startsWith('held') && !to.startsWith('held') && before?.leaseId === leaseId) live.delete(device)
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
      if (event.leaseId === undefined && holder && !mayBeDead(holder, at))
        violations.push({ law: 4, about, says: `it was begun although lease ${holder.leaseId} held the phone` })
    }
    return violations
  })

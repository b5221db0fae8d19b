/** Plays the faults of a plan. None lasts longer than the time for faults. */
import type { Wall } from './clock.ts'
import { DISK_FULL, type Disk } from './host/disk.ts'
import type { Processes } from './host/processes.ts'
import type { PhoneHost } from './phone/phone.ts'
import { FAULTS_UNTIL_MS, type Fault } from './plan/plan.ts'
import type { Owner, Scheduler } from './scheduler.ts'

export const describeFault = (fault: Fault): string => {
  const { at: _, kind, ...more } = fault
  return `${kind} ${JSON.stringify(more)}`
}

interface FaultsOptions {
  scheduler: Scheduler
  harness: Owner
  processes: Processes
  walls: readonly Wall[]
  disks: readonly Disk[]
  phones: readonly PhoneHost[]
  say(text: string): void
}

export const faultPlayer = ({ scheduler, harness, processes, walls, disks, phones, say }: FaultsOptions) => {
  const { slots, slotAt, lifeAt, kill, watched } = processes
  return (fault: Fault) => {
    say(describeFault(fault))
    const disk = 'host' in fault ? disks[fault.host] : undefined
    const phone = 'phone' in fault ? phones[fault.phone] : undefined
    const until = (ms: number) => Math.min(scheduler.now() + ms, FAULTS_UNTIL_MS)
    const over = (ms: number, undo: () => void) =>
      scheduler.post(harness, until(ms) - scheduler.now(), 'a fault is over', undo)
    switch (fault.kind) {
      case 'kill':
        slotAt(fault.place).restartMs = fault.restartMs
        return kill(lifeAt(fault.place))
      case 'kill-at-use': {
        const life = lifeAt(fault.place)
        slotAt(fault.place).restartMs = fault.restartMs
        if (life) life.owner.diesAtUse = life.owner.uses + fault.use
        return
      }
      case 'freeze': {
        const life = lifeAt(fault.place)
        if (life) life.owner.frozenUntil = until(fault.ms)
        return
      }
      case 'cut':
        return phone?.cut('the link was cut', fault.place && lifeAt(fault.place)?.owner)
      case 'stall':
        if (phone) phone.stalledUntil = until(fault.ms)
        return
      case 'away':
        if (phone) phone.awayUntil = until(fault.ms)
        return phone?.cut('the phone is away')
      case 'disk-full':
        if (!disk) return
        disk.refusing = DISK_FULL
        over(fault.ms, () => {
          disk.refusing = undefined
        })
        return
      case 'disk-slow':
        if (!disk) return
        disk.extraMs = fault.extraMs
        over(fault.ms, () => {
          disk.extraMs = 0
        })
        return
      case 'sync-fails':
        if (!disk) return
        disk.failsToSync = true
        over(fault.ms, () => {
          disk.failsToSync = false
        })
        return
      case 'power-cut': {
        const here = slots.filter(({ place }) => place.host === fault.host)
        for (const slot of here) slot.restartMs = fault.restartMs
        for (const { life } of here) kill(life)
        for (const one of watched) if (one.watcher === `watcher of h${fault.host}`) one.isOver = true
        return disk?.cutPower()
      }
      case 'clock-set': {
        const wall = walls[fault.host]
        if (wall) wall.setBy += fault.byMs
        return
      }
    }
  }
}

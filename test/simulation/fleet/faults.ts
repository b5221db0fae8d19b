/** Plays the faults of a fleet: those of its servers and its cables; the others are those of every host. */
import type { faultPlayer } from '../faults.ts'
import { FAIR, type Nats } from '../nats/server.ts'
import { FAULTS_UNTIL_MS } from '../plan/plan.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { FleetFault } from './plan.ts'

interface FleetFaultsOptions {
  scheduler: Scheduler
  harness: Owner
  nats: Nats
  plain: ReturnType<typeof faultPlayer>
  say(text: string): void
  /** Undefined: it is plugged in nowhere. */
  plug(phone: number, host: number | undefined): void
}

export const fleetFaultPlayer = ({ scheduler, harness, nats, plain, say, plug }: FleetFaultsOptions) => {
  const over = (ms: number, undo: () => void) => {
    const until = Math.min(scheduler.now() + ms, FAULTS_UNTIL_MS)
    scheduler.post(harness, until - scheduler.now(), 'a fault is over', undo)
  }
  return (fault: FleetFault) => {
    const { at: _, kind, ...more } = fault
    const name = 'host' in fault ? `h${fault.host}` : ''
    switch (fault.kind) {
      case 'nats-cut':
        nats.cut(name, fault.how)
        over(fault.ms, () => nats.heal(name))
        break
      case 'nats-slow':
        nats.slow(name, fault.extraMs)
        over(fault.ms, () => nats.slow(name, 0))
        break
      case 'leader-gone':
        nats.loseLeader(fault.how)
        over(fault.ms, nats.findLeader)
        break
      case 'nats-restart':
        nats.stop()
        over(fault.ms, nats.start)
        break
      case 'weather':
        nats.weather = fault.weather
        over(fault.ms, () => {
          nats.weather = FAIR
        })
        break
      case 'move':
        plug(fault.phone, undefined)
        over(fault.awayMs, () => plug(fault.phone, fault.to))
        break
      default:
        return plain(fault)
    }
    say(`${kind} ${JSON.stringify(more)}`)
  }
}

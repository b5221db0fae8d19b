/** Somebody who follows the log of the fleet, and is none of its hosts. */
import type { TransitionRecord } from '../../../src/contracts/records/actor.ts'
import { followFleet } from '../../../src/fleet/log/follow-fleet.ts'
import { connectFleet } from '../../../src/fleet/servers/connection.ts'
import { pause } from '../../../src/runtime/clock.ts'
import { ownedClock } from '../clock.ts'
import { natsConnector } from '../nats/connection.ts'
import type { Nats } from '../nats/server.ts'
import type { Scheduler } from '../scheduler.ts'
import { NAMES } from './life.ts'

export interface FleetWatcher {
  readonly events: TransitionRecord[]
  readonly problems: string[]
  readonly gaps: { host: string; says: string }[]
  close(): void
}

const AGAIN_MS = 1_000

export const watchFleet = (scheduler: Scheduler, nats: Nats): FleetWatcher => {
  const owner = scheduler.owner('watcher')
  const clock = ownedClock(scheduler, owner, { setBy: 0 })
  const stopped = new AbortController()
  const events: TransitionRecord[] = []
  const problems: string[] = []
  const gaps: FleetWatcher['gaps'] = []
  const follow = async () => {
    const connectNats = natsConnector({ scheduler, nats, owner, host: 'watcher' })
    const connection = await connectFleet(
      { urls: ['nats://simulated'], names: NAMES, self: 'watcher' },
      clock,
      connectNats,
    )
    const { signal } = stopped
    const options = { connection, names: NAMES, clock, after: 0, filter: {}, signal, note() {} }
    try {
      await followFleet(options, async steps => {
        for (const { transition, gap } of steps) {
          if (transition) events.push(transition)
          else if (gap) gaps.push({ host: 'host' in gap ? String(gap.host) : '', says: JSON.stringify(gap) })
        }
        return true
      })
    } finally {
      await connection.close()
    }
  }
  /** The servers may not tell how far the log is for a while. */
  const insist = async () => {
    while (!stopped.signal.aborted) {
      try {
        await follow()
      } catch (error) {
        if (events.length > 0) problems.push(String(error))
        await pause(clock, AGAIN_MS, stopped.signal)
      }
    }
  }
  scheduler.post(owner, 0, 'begins to watch', () => {
    void insist()
  })
  return { events, problems, gaps, close: () => void scheduler.post(owner, 0, 'stops watching', () => stopped.abort()) }
}

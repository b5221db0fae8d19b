/** The transitions of every host of a fleet, from a position on, for a client that is none of its hosts. */

import {
  endOfMessage,
  type GapData,
  type LogEntry,
  messageOfPosition,
  positionText,
} from '../../contracts/fleet-log.ts'
import type { TransitionRecord } from '../../contracts/records/actor.ts'
import { isActor } from '../../contracts/records/machines.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import { createLogReader } from './log-reader.ts'

export type FleetStep = { position: string } & (
  | { transition: TransitionRecord & { host: string }; gap?: never }
  | { gap: GapData; transition?: never }
)

export interface FollowOptions {
  connection: Pick<FleetConnection, 'nc' | 'jsm'>
  names: Names
  clock: Clock
  /** Follows the log from this position; undefined for new entries only. */
  after: number | undefined
  /** `actor` may be `<actor>@<host>`. */
  filter: { actor?: string | undefined; machine?: string | undefined }
  signal: AbortSignal
  note: (text: string) => void
}

/** Bounds the first look at the log; afterwards the servers may come and go. */
const FIRST_LOOK_MS = 10_000
const RETRY_MS = 300

const headOf = async (head: () => Promise<number>, { clock, signal }: FollowOptions): Promise<number> => {
  const latest = clock.elapsed() + FIRST_LOOK_MS
  for (;;) {
    try {
      return await head()
    } catch (error) {
      if (signal.aborted || clock.elapsed() >= latest) throw error
      await pause(clock, RETRY_MS, signal)
    }
  }
}

/**
 * Hands over some steps at a time and waits until they are taken; ends with the signal, or when `take` resolves to false.
 * Rejects when the servers do not tell how far the log is, or when it ends before `after`.
 */
export const followFleet = async (
  options: FollowOptions,
  take: (steps: readonly FleetStep[]) => Promise<boolean>,
): Promise<void> => {
  const { connection, names, clock, after, filter, signal, note } = options
  const reader = createLogReader({ connection, names, clock, note })
  const head = await headOf(reader.head, options)
  if (after !== undefined && messageOfPosition(after) > head) {
    throw new Error(`the log ends at message ${head}, before ${positionText(after)}`)
  }

  const isWanted = ({ actor, machine, host }: TransitionRecord): boolean =>
    isActor({ machine }) &&
    (filter.actor === undefined || filter.actor === actor || filter.actor === `${actor}@${host}`) &&
    (filter.machine === undefined || filter.machine === machine)

  const from = after ?? endOfMessage(head)
  let isFirst = true
  const stepsOf = (entries: readonly LogEntry[]): FleetStep[] =>
    entries.flatMap(({ position, transition, gap }): FleetStep[] => {
      if (position <= from) return []
      // From the oldest on means from what is kept.
      const isBeginning = isFirst && from === 0 && gap?.reason === 'log-expired'
      isFirst = false
      if (isBeginning) return []
      if (gap) return [{ position: positionText(position), gap }]
      return transition && isWanted(transition) ? [{ position: positionText(position), transition }] : []
    })

  const ended = new AbortController()
  const message = messageOfPosition(from)
  await reader.follow(
    from === endOfMessage(message) ? message : Math.max(0, message - 1),
    async ({ entries }) => {
      const steps = stepsOf(entries)
      if (steps.length > 0 && !(await take(steps))) ended.abort()
    },
    AbortSignal.any([signal, ended.signal]),
  )
}

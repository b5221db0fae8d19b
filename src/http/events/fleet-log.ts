/** Section Fleet: what the event streams need of the log of the fleet; who keeps it is no matter of theirs. */
import type { LogEntry, LogOutcome } from '../../contracts/fleet-log.ts'

export interface FleetLog {
  /**
   * Resolves once `position` is the newest there is, and not before `after`. Rejects when no server of the fleet says how
   * far the log is.
   */
  ready(after?: number): Promise<void>
  /** Where those who begin to follow begin. */
  position(): number
  /** Hands over what comes after `position`, in order; waits until it is taken. */
  follow(take: (entries: readonly LogEntry[]) => void | Promise<void>): () => void
  /** What comes after a position, as soon as there is something, and up to where that is all. */
  after(position: number, signal: AbortSignal): Promise<{ entries: LogEntry[]; upTo: number }>
  /** The texts of an outcome; undefined when the log no longer keeps them. */
  outcome(
    outcome: LogOutcome,
    signal: AbortSignal,
  ): Promise<{ deviceId: string; input: string; result: string } | undefined>
}

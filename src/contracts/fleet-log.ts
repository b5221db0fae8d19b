/** The log of a fleet: what each host writes of its journal, in one order for all, and positions in it. */
import * as v from 'valibot'
import { openObject } from './json/objects.ts'
import { count } from './json/scalars.ts'
import type { TransitionRecord } from './records/actor.ts'

/**
 * The data of `svc:gap`, where the stream cannot tell all: records that cannot be read, or that retention took before the
 * host could write them, records in a form that only a newer svc reads, a host that goes on with another journal, or a part
 * of the log that was no longer kept when a reader came for it.
 */
export const GapData = openObject({
  reason: v.picklist(['records-missing', 'records-unreadable', 'journal-replaced', 'log-expired']),
  /** Absent for `log-expired`, which may concern every host. */
  host: v.exactOptional(v.string()),
  /** The first and the last `seq` that is missing; absent where the form of a whole message is unknown. */
  from: v.exactOptional(count),
  to: v.exactOptional(count),
})
export type GapData = v.InferOutput<typeof GapData>

/** An input and its result, as JSON texts; a large pair is stored separately and has to be fetched. */
export type LogOutcome = { deviceId: string } & (
  | { input: string; result: string }
  /** The messages of the log that hold the input and then the result, and the bytes of the input. */
  | { parts: readonly number[]; inputBytes: number }
)

/** One step of the log: a record of the journal of a host, or a gap. */
export interface LogEntry {
  position: number
  transition?: TransitionRecord & { host: string }
  outcome?: LogOutcome
  gap?: GapData
}

/** More entries than a message of the log can have. */
const INDEXES = 4_096
export const LOG_MESSAGE_ENTRIES_MAX = 1_000

/** A position as one number, which grows: the sequence of a message in the log, and the entry in it. */
export const logPosition = (message: number, index: number): number => message * INDEXES + index
/** Behind all entries of a message. */
export const endOfMessage = (message: number): number => logPosition(message, INDEXES - 1)
export const messageOfPosition = (position: number): number => Math.floor(position / INDEXES)

/** Callers see a position as `<message>.<entry>`. */
export const positionText = (position: number): string => `${messageOfPosition(position)}.${position % INDEXES}`

export const readLogPosition = (text: string): number | undefined => {
  const [, message, index] = /^(\d{1,12})\.(\d{1,4})$/.exec(text) ?? []
  if (message === undefined || Number(index) >= INDEXES) return undefined
  return logPosition(Number(message), Number(index))
}

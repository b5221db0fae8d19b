/** Follows the place of a reader in the log, and finds it again in a log that is read anew. */
import type { LogPosition } from '../../contracts/device/logs.ts'
import type { LogRecord } from './log-records.ts'

/** Lines of several threads come into the log in another order than their times, by less than this. */
const DISORDER_S = 1
/** So many records are held while the place is looked for; behind more it counts as gone. */
const HELD_RECORDS_MAX = 20_000

const isBefore = (one: Pick<LogPosition, 'sec' | 'nsec'>, other: Pick<LogPosition, 'sec' | 'nsec'>): boolean =>
  one.sec < other.sec || (one.sec === other.sec && one.nsec < other.nsec)

/** Numbers the lines that have the same time and thread. */
const createNumbering = (boot: string) => {
  let [sec, nsec] = [-1, -1]
  const counts = new Map<number, number>()
  return (record: LogRecord): LogPosition => {
    if (record.sec !== sec || record.nsec !== nsec) {
      ;[sec, nsec] = [record.sec, record.nsec]
      counts.clear()
    }
    const nth = (counts.get(record.tid) ?? 0) + 1
    counts.set(record.tid, nth)
    return { boot, sec, nsec, tid: record.tid, nth }
  }
}

export interface PlacedRecord {
  record: LogRecord
  at: LogPosition
}

export interface FoundPlace {
  records: PlacedRecord[]
  /** The place of the reader was not there any more. */
  isLost: boolean
}

const NOTHING: FoundPlace = { records: [], isLost: false }

/**
 * Takes the records from `from` on as they are read anew, and returns those that come after it. The place itself is among
 * them unless the device has lost it, and then what lay behind it may be lost as well.
 */
export const createPlace = (from: LogPosition) => {
  const number = createNumbering(from.boot)
  let held: PlacedRecord[] = []
  let isFound = false

  /** Nothing was read at that time: everything from it on is new. */
  const isStart = from.nth === 0
  const isThere = ({ sec, nsec, tid, nth }: LogPosition) =>
    sec === from.sec && nsec === from.nsec && tid === from.tid && nth === from.nth

  const giveUp = (): FoundPlace => {
    if (isFound || isStart || held.length === 0) return NOTHING
    isFound = true
    const records = held.filter(({ at }) => isBefore(from, at))
    held = []
    return { records, isLost: true }
  }

  return {
    /** Looks no further; to be called when nothing more comes. */
    giveUp,
    /** True while what was read is held back. */
    isHolding: (): boolean => held.length > 0,
    take(record: LogRecord): FoundPlace {
      const at = number(record)
      if (isFound) return { records: [{ record, at }], isLost: false }
      if (isStart) {
        isFound = !isBefore(at, from)
        return isFound ? { records: [{ record, at }], isLost: false } : NOTHING
      }
      if (isThere(at)) {
        isFound = true
        held = []
        return NOTHING
      }
      held.push({ record, at })
      return at.sec > from.sec + DISORDER_S || held.length > HELD_RECORDS_MAX ? giveUp() : NOTHING
    },
  }
}

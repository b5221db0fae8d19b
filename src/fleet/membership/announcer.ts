/** Publishes this host's record in the bucket of hosts when it changes, and sends beats. */
import { type FleetBeat, FleetHostRecord } from '../../contracts/fleet.ts'
import { BEAT_MS, PRESENCE_MS } from '../../contracts/limits/fleet-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { cellOf } from '../servers/compare-and-set.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import type { Stores } from '../servers/stores.ts'

export interface AnnouncerOptions {
  host: string
  names: Names
  clock: Clock
  /** Undefined until the servers were reached. */
  connection(): Pick<FleetConnection, 'nc' | 'isUp'> | undefined
  stores(): Pick<Stores, 'hosts'> | undefined
}

/** The announcer is asked every PRESENCE_MS, now and then a little early: it does not wait for the next time then. */
const DUE_MS = BEAT_MS - PRESENCE_MS / 2

export const createAnnouncer = ({ host, names, clock, connection, stores }: AnnouncerOptions) => {
  /** The record in the bucket; empty while a write is undecided, which may be stored yet. */
  let storedText = ''
  let revision = 0
  /** False while the newest revision in the bucket may be another than the one known here. */
  let isNewest = false
  let busyBefore = ''
  let beatAt: number | undefined

  /** On top of the newest revision: an older write that is stored late fails there, or makes this one fail. */
  const write = async (bucket: Stores['hosts'], record: FleetHostRecord, text: string) => {
    const cell = cellOf(bucket, host, FleetHostRecord)
    const newest = isNewest ? revision : (await cell.read()).revision
    storedText = ''
    isNewest = false
    const written = await cell.write(record, newest)
    if (written.kind !== 'written') return written
    storedText = text
    revision = written.revision
    isNewest = true
    return written
  }

  /** Writes the record unless it stands there. Returns why that failed. */
  const store = async (...words: Parameters<typeof write>): Promise<Error | undefined> => {
    if (words[2] === storedText) return undefined
    try {
      const first = await write(...words)
      // After a conflict the newest revision is read; a write that is undecided then is repeated the next time.
      const written = first.kind === 'conflict' ? await write(...words) : first
      if (written.kind === 'written') return undefined
      return new Error(written.kind === 'conflict' ? 'another record was stored in between' : written.message)
    } catch (error) {
      return error as Error
    }
  }

  let last: Promise<unknown> = Promise.resolve()

  return {
    /** The bucket was made anew: the record is written the next time, whatever it says. */
    forgetTold() {
      storedText = ''
      isNewest = false
    },
    /**
     * Writes the record if it is another than the last one, and sends a beat if anything changed or one is due. Rejects
     * after the beat when the record was not written: the host is alive all the same.
     */
    async tell(record: FleetHostRecord, facts: Pick<FleetBeat, 'busy' | 'head' | 'mirrored'>) {
      const text = JSON.stringify(record)
      const bucket = stores()?.hosts
      const isNew = text !== storedText && bucket !== undefined
      // One after the other: of two at once, the older record could be stored last.
      const storing = isNew ? last.then(() => store(bucket, record, text)) : undefined
      last = storing ?? last
      const problem = await storing
      const busyNow = facts.busy.join()
      const isDue = beatAt === undefined || clock.elapsed() - beatAt >= DUE_MS
      const link = connection()
      if (isNew || busyNow !== busyBefore || isDue) {
        busyBefore = busyNow
        beatAt = clock.elapsed()
        const beat: FleetBeat = { instance: record.instance, revision, ...facts }
        if (link?.isUp()) link.nc.publish(names.beat(host), JSON.stringify(beat))
      }
      if (problem) throw problem
    },
  }
}

export type Announcer = ReturnType<typeof createAnnouncer>

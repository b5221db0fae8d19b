/** Publishes this host's record in the bucket of hosts when it changes, and sends beats. */
import type { FleetBeat, FleetHostRecord } from '../contracts/fleet.ts'
import { BEAT_MS, PRESENCE_MS } from '../contracts/fleet-limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { FleetConnection } from './connection.ts'
import type { Names } from './names.ts'
import type { Stores } from './stores.ts'

export interface AnnouncerOptions {
  host: string
  names: Names
  clock: Clock
  /** Undefined until the servers were reached. */
  connection(): Pick<FleetConnection, 'nc' | 'isUp'> | undefined
  stores(): Pick<Stores, 'hosts'> | undefined
}

/** It is asked to tell every PRESENCE_MS, now and then a little early: it does not wait for the next time then. */
const DUE_MS = BEAT_MS - PRESENCE_MS / 2

export const createAnnouncer = ({ host, names, clock, connection, stores }: AnnouncerOptions) => {
  let told = ''
  let revision = 0
  let busyBefore = ''
  let beatAt: number | undefined

  return {
    /** The bucket was made anew: the record is written the next time, whatever it says. */
    forgetTold() {
      told = ''
    },
    /** Writes the record if it is another than the last one, and sends a beat if anything changed or one is due. */
    async tell(record: FleetHostRecord, said: Pick<FleetBeat, 'busy' | 'head' | 'mirrored'>) {
      const text = JSON.stringify(record)
      const bucket = stores()?.hosts
      const isNew = text !== told && bucket !== undefined
      if (isNew) {
        const written = await bucket.put(host, text)
        // Servers have been seen to acknowledge with 0 what was not stored: then it is told again.
        if (written > 0) {
          revision = written
          told = text
        }
      }
      const busyNow = said.busy.join()
      const isDue = beatAt === undefined || clock.elapsed() - beatAt >= DUE_MS
      if (!isNew && busyNow === busyBefore && !isDue) return
      busyBefore = busyNow
      beatAt = clock.elapsed()
      const link = connection()
      if (!link?.isUp()) return
      const beat: FleetBeat = { instance: record.instance, revision, ...said }
      link.nc.publish(names.beat(host), JSON.stringify(beat))
    },
  }
}

export type Announcer = ReturnType<typeof createAnnouncer>

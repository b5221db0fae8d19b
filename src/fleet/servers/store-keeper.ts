/** Keeps the streams and buckets of a fleet open: servers may come back without what they had stored. */
import { JetStreamApiError } from '@nats-io/jetstream'
import { type Clock, pause } from '../../runtime/clock.ts'
import { streamsOf } from '../permissions.ts'
import type { FleetConnection } from './connection.ts'
import type { Names } from './names.ts'
import { openStores, type Stores } from './stores.ts'

export interface StoreKeeperOptions {
  connection(): FleetConnection | undefined
  names: Names
  clock: Clock
  /** The newest message of the log that this process has written or read. */
  logHead(): number
  /** Hears the streams that were made anew since they were opened: what was kept of the old ones means nothing any more. */
  onAnew(streams: ReadonlySet<string>): void
}

const LOOK_MS = 10_000
/** Servers that have just started may not have read all of their streams. */
const CONFIRM_MS = 500
const STREAM_NOT_FOUND = 10059
/** Positions in a new log are behind all of the old one, also those that were written after the last look. */
const LOG_AHEAD = 1_000_000

const isMissing = (error: unknown) => error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND

export const createStoreKeeper = ({ connection, names, clock, logHead: ownHead, onAnew }: StoreKeeperOptions) => {
  let stores: Stores | undefined
  /** When each stream was made, as the servers say it. */
  let made: ReadonlyMap<string, string> | undefined
  const seenSince = new Map<string, number>()
  let logHead = 0
  let last: Promise<void> = Promise.resolve()

  const look = async ({ jsm }: FleetConnection): Promise<Map<string, string> | undefined> => {
    try {
      const infos = await Promise.all(streamsOf(names).map(stream => jsm.streams.info(stream)))
      for (const { config, state } of infos)
        if (config.name === names.logStream) logHead = Math.max(logHead, state.last_seq)
      return new Map(infos.map(({ config, created }) => [config.name, created]))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const openAll = async () => {
    const link = connection()
    if (!link) return
    let found = stores && (await look(link))
    if (stores && !found) {
      await pause(clock, CONFIRM_MS)
      found = await look(link)
    }
    if (!found) {
      logHead = Math.max(logHead, ownHead())
      stores = await openStores(link, names, { logFrom: logHead === 0 ? undefined : logHead + LOG_AHEAD })
      found = await look(link)
    }
    if (!found) throw new Error('a stream of the fleet was removed while it was opened')
    const before = made
    made = found
    for (const [stream, at] of found) if (before?.get(stream) !== at) seenSince.set(stream, clock.elapsed())
    const anew = new Set([...found].flatMap(([stream, at]) => (before && before.get(stream) !== at ? [stream] : [])))
    if (anew.size > 0) onAnew(anew)
  }

  /** One after the other: two that find the same stream gone would both tell of it. */
  const open = (): Promise<void> => {
    const opened = last.then(openAll)
    last = opened.catch(() => {})
    return opened
  }

  return {
    /** Undefined until they were opened once. */
    stores: (): Stores | undefined => stores,
    /** Makes what is missing. Rejects while the servers have no leader. */
    open,
    /** How long ago the stream was made, at least: by the clock of its servers, else since it was first seen. */
    async ageMs(stream: string) {
      const link = connection()
      if (!link) return 0
      const { created, ts } = (await link.jsm.streams.info(stream)) as { created: string; ts?: string }
      const seenMs = clock.elapsed() - (seenSince.get(stream) ?? clock.elapsed())
      // A look of its own may not have found yet that this is another stream.
      if (created !== made?.get(stream)) return 0
      return Math.max(seenMs, ts === undefined ? 0 : Date.parse(ts) - Date.parse(created))
    },
    /** Opens again what the servers have lost, until the signal. */
    async watch(signal: AbortSignal) {
      let link = connection()
      let isBack = () => {}
      const stopListening = link?.onChange(isUp => isUp && isBack())
      try {
        while (!signal.aborted) {
          const waited = new AbortController()
          isBack = () => waited.abort()
          await pause(clock, LOOK_MS, AbortSignal.any([signal, waited.signal]))
          link = connection()
          if (signal.aborted || !link?.isUp()) continue
          // When the servers have no leader, nothing is known, and the next look is soon enough.
          await open().catch(() => {})
        }
      } finally {
        stopListening?.()
      }
    },
  }
}

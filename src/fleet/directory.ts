/** Keeps the records of a fleet's hosts: from beats, and from the bucket when a beat announces a newer record. */
import type { KV, KvEntry } from '@nats-io/kv'
import * as v from 'valibot'
import { FleetBeat, FleetHostRecord } from '../contracts/fleet.ts'
import { DIRECTORY_SYNC_MS, HOST_SILENT_MS } from '../contracts/limits/fleet-limits.ts'
import { ageMs, type Clock, type ClockReading, pause, readClock } from '../runtime/clock.ts'
import { isFromSender } from './log/message-origin.ts'
import type { FleetConnection } from './servers/connection.ts'
import type { Names } from './servers/names.ts'

export interface KnownHost {
  record: FleetHostRecord
  /** The revision of its key in the bucket. */
  revision: number
  beat?: FleetBeat
  /** When it was heard last; undefined when it has not been heard since this process joined. */
  heard?: ClockReading
}

/** True when another host says that it sees the phone. */
export const seesPhone = (hosts: readonly KnownHost[], ownHost: string, phone: string): boolean =>
  hosts.some(({ record }) => record.host !== ownHost && record.devices.some(device => device.phone === phone))

export interface DirectoryOptions {
  connection: FleetConnection
  names: Names
  hosts: KV
  owners: KV
  clock: Clock
}

const parse = <S extends v.GenericSchema>(schema: S, read: () => unknown): v.InferOutput<S> | undefined => {
  try {
    const parsed = v.safeParse(schema, read())
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

const SETTLED_POLL_MS = 20
/** Hosts of one fleet; more are not listed, so that nobody fills the memory of the others. */
const HOSTS_MAX = 10_000
/** A stale read after a newer beat is read again. */
const READ_TRIES = 5
const READ_AGAIN_MS = 100
const READ_AT_ONCE = 16
/** The arguments of `then` that turn a finished read into true and a failed one into false. */
const READ = [() => true, () => false] as const

export const createDirectory = async ({ connection, names, hosts, owners, clock }: DirectoryOptions) => {
  const known = new Map<string, KnownHost>()
  /** The processes that were forgotten, by their hosts: nobody but a host itself may take back what it said. */
  const forgotten = new Map<string, string>()
  const reading = new Set<string>()
  const closed = new AbortController()

  /** Heard within the last seconds. */
  const isAlive = (id: string) => {
    const heard = known.get(id)?.heard
    return heard !== undefined && ageMs(clock, heard) < HOST_SILENT_MS
  }

  const keep = (id: string, record: FleetHostRecord, revision: number) => {
    const before = known.get(id)
    if (record.host !== id || (before && before.revision >= revision)) return
    if (!before && known.size >= HOSTS_MAX) return
    known.set(id, { ...before, record, revision })
  }

  const take = (id: string, entry: KvEntry | null) => {
    if (entry?.operation === 'PUT') {
      const record = parse(FleetHostRecord, () => entry.json())
      if (record) keep(id, record, entry.revision)
    } else if (entry) known.delete(id)
  }

  const read = async (id: string) => take(id, await hosts.get(id))

  const readUntil = async (id: string, revision: number) => {
    if (reading.has(id)) return
    reading.add(id)
    try {
      for (let tries = 0; tries < READ_TRIES && !closed.signal.aborted; tries += 1) {
        await read(id).catch(() => {})
        if ((known.get(id)?.revision ?? 0) >= revision) return
        await pause(clock, READ_AGAIN_MS, closed.signal)
      }
    } finally {
      reading.delete(id)
    }
  }

  const listen = async () => {
    const beats = connection.nc.subscribe(names.beat('*'))
    closed.signal.addEventListener('abort', () => beats.unsubscribe(), { once: true })
    for await (const message of beats) {
      if (!isFromSender(message.headers, 'live')) continue
      const id = message.subject.slice(message.subject.lastIndexOf('.') + 1)
      const beat = parse(FleetBeat, () => message.json())
      if (!beat) continue
      const before = known.get(id)
      if (before) known.set(id, { ...before, beat, heard: readClock(clock) })
      if ((before?.revision ?? 0) < beat.revision) {
        void readUntil(id, beat.revision).then(() => {
          const read = known.get(id)
          if (read) known.set(id, { ...read, beat, heard: readClock(clock) })
        })
      }
    }
  }

  /** The names of the keys come without a consumer, which can stall when a server dies. */
  const keysOf = async (bucket: string, filter: string): Promise<Set<string>> => {
    const prefix = `$KV.${bucket}.`
    const { state } = await connection.jsm.streams.info(`KV_${bucket}`, { subjects_filter: `${prefix}${filter}` })
    return new Set(Object.keys(state.subjects ?? {}).map(subject => subject.slice(prefix.length)))
  }

  const readForgotten = async () => {
    const before = names.forgotten('').length
    for (const key of await keysOf(names.owners, names.forgotten('*'))) {
      const entry = await owners.get(key)
      if (entry?.operation === 'PUT') forgotten.set(key.slice(before), entry.string())
    }
  }

  /** Its last beat said that there is nothing newer, a moment ago. */
  const isUpToDate = (id: string): boolean => {
    const found = known.get(id)
    return found?.beat !== undefined && found.beat.revision <= found.revision && isAlive(id)
  }

  const readAll = async () => {
    const found = await keysOf(names.hosts, '>')
    await readForgotten()
    // Only keys that were deleted go: a listing may be an old one.
    const missed = [...new Set([...found, ...known.keys()])].filter(id => !found.has(id) || !isUpToDate(id))
    while (missed.length > 0) {
      const ids = missed.splice(0, READ_AT_ONCE)
      // Taken in the order of the listing, whichever answer comes first: hosts are listed in the order in which they were taken.
      const entries = await Promise.all(ids.map(id => hosts.get(id)))
      for (const [index, id] of ids.entries()) take(id, entries[index] ?? null)
    }
  }

  let wasAllRead = false
  const keepUp = async () => {
    let isRead = await readAll().then(...READ)
    wasAllRead = isRead
    first()
    while (!closed.signal.aborted) {
      await pause(clock, isRead ? DIRECTORY_SYNC_MS : READ_AGAIN_MS, closed.signal)
      if (!closed.signal.aborted && connection.isUp()) isRead = await readAll().then(...READ)
      wasAllRead ||= isRead
    }
  }

  void listen()
  let first = () => {}
  const wasRead = new Promise<void>(resolve => {
    first = resolve
  })
  void keepUp()
  // A failed first read resolves this, too: the next try or a beat brings what is missing.
  await wasRead

  const isListed = ({ record: { host, instance } }: KnownHost) => forgotten.get(host) !== instance || isAlive(host)

  return {
    hosts: (): KnownHost[] => [...known.values()].filter(isListed),
    host(id: string): KnownHost | undefined {
      const found = known.get(id)
      return found && isListed(found) ? found : undefined
    },
    isAlive,
    /** True once all records of hosts have been read. */
    isRead: () => wasAllRead,
    /** Resolves when each known host was heard, or after `ms`: right after joining nobody has been. */
    async settled(ms: number) {
      const until = clock.elapsed() + ms
      while (clock.elapsed() < until && [...known.values()].some(({ heard }) => !heard))
        await pause(clock, SETTLED_POLL_MS)
    },
    /** Reads what a host says of itself anew. */
    refresh: (id: string) => read(id).catch(() => {}),
    /** Lists the host no more until another process of it joins, and has the other hosts do the same. */
    async forget(id: string) {
      const instance = known.get(id)?.record.instance
      if (instance === undefined) return
      await owners.put(names.forgotten(id), instance)
      forgotten.set(id, instance)
    },
    /** The bucket was made anew: whatever is read of a host is newer than what is known. */
    forgetRevisions() {
      for (const [id, { beat: _, ...host }] of known) known.set(id, { ...host, revision: 0 })
      void readAll().catch(() => {})
    },
    close: () => closed.abort('the directory is closed'),
  }
}

export type Directory = Awaited<ReturnType<typeof createDirectory>>

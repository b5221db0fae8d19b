/** The streams and buckets of a fleet: made by the first host, checked by every other. */
import { DiscardPolicy, type JetStreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type KV, Kvm } from '@nats-io/kv'
import type { FleetConnection } from './connection.ts'
import type { Names } from './names.ts'

export interface Stores {
  hosts: KV
  owners: KV
  keys: KV
}

const DAY_MS = 24 * 60 * 60 * 1_000
const NANOS = 1_000_000
const LOG_KEEP_MS = 7 * DAY_MS
const LOG_BYTES = 1_024 * 1_024 * 1_024
const RECEIPTS_BYTES = 256 * 1_024 * 1_024

const COPIES = 3
/** A server that stands alone cannot keep more than one. */
const NOT_CLUSTERED = 10074

const JETSTREAM_NAME_IN_USE = 10058

const ensureStream = async (jsm: JetStreamManager, config: Parameters<JetStreamManager['streams']['add']>[0]) => {
  try {
    await jsm.streams.info(config.name as string)
  } catch (error) {
    if (!/stream not found/i.test(String(error))) throw error
    try {
      await jsm.streams.add(config)
    } catch (added) {
      // Another host was quicker, with limits of its version.
      if ((added as { code?: number }).code !== JETSTREAM_NAME_IN_USE) throw added
    }
  }
}

export interface OpenOptions {
  /** The sequence with which the log begins if it is made. */
  logFrom?: number | undefined
}

/** Rejects while the servers have no leader or no quorum: then it is tried again. */
export const openStores = async (
  connection: FleetConnection,
  names: Names,
  options: OpenOptions = {},
): Promise<Stores> => {
  try {
    return await openWith(connection, names, COPIES, options)
  } catch (error) {
    if ((error as { code?: number }).code !== NOT_CLUSTERED) throw error
    return openWith(connection, names, 1, options)
  }
}

const openWith = async (
  { jsm, js }: FleetConnection,
  names: Names,
  replicas: number,
  { logFrom }: OpenOptions,
): Promise<Stores> => {
  const kept = {
    num_replicas: replicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    allow_direct: true,
  }
  const oldest = { discard: DiscardPolicy.Old }
  await ensureStream(jsm, {
    ...kept,
    ...oldest,
    name: names.logStream,
    subjects: [names.log('*')],
    max_age: LOG_KEEP_MS * NANOS,
    max_bytes: LOG_BYTES,
    ...(logFrom === undefined ? {} : { first_seq: logFrom }),
  })
  await ensureStream(jsm, {
    ...kept,
    ...oldest,
    name: names.receiptStream,
    subjects: [names.receipt('*', '*')],
    max_age: LOG_KEEP_MS * NANOS,
    max_bytes: RECEIPTS_BYTES,
    max_msgs_per_subject: 1,
  })
  const kvm = new Kvm(js)
  const bucket = (name: string, options: { ttl?: number } = {}) =>
    kvm.create(name, { history: 1, replicas, ...options })
  return {
    hosts: await bucket(names.hosts),
    owners: await bucket(names.owners),
    keys: await bucket(names.keys, { ttl: DAY_MS }),
  }
}

/** Checks that the NATS servers keep what a fleet relies on: who owns a phone is never forgotten, nor decided twice. */
import { JetStreamApiError, StorageType } from '@nats-io/jetstream'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { streamsOf } from '../permissions.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import { monitorProblem, readMonitorUrl } from '../servers/server-urls.ts'
import { type Monitored, readMonitor, type SeenServer, seeOwnUser, seeServers } from '../servers/servers.ts'
import {
  COPIES,
  checkClocks,
  checkCopies,
  checkIdentity,
  checkPayload,
  checkPermissions,
  checkSync,
  checkVersions,
  fine,
  type SafetyCheck,
  type StreamCopies,
  unsafe,
} from './safety-checks.ts'

export interface InspectOptions {
  connection: FleetConnection
  names: Names
  /** The host that this process is to be. */
  self: string
  clock: Clock
  /** Monitoring addresses of the servers, such as `http://10.0.0.1:8222`: only there some settings are seen. */
  monitors?: readonly string[] | undefined
}

/** Servers that have just started elect a leader first. */
const TRIES = 10
const TRY_AGAIN_MS = 500

const NOT_FOR_THIS_ACCOUNT = 10039
const STREAM_NOT_FOUND = 10059

const apiCodeOf = (error: unknown): number | undefined => {
  if (error instanceof JetStreamApiError) return error.code
  return error instanceof Error && error.cause !== undefined ? apiCodeOf(error.cause) : undefined
}

const copiesOf = async ({ jsm }: FleetConnection, stream: string): Promise<StreamCopies[]> => {
  try {
    const { config, cluster } = await jsm.streams.info(stream)
    const behind = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current)
    const names = behind.map(({ name }) => name)
    return [{ stream, copies: config.num_replicas, isOnDisk: config.storage === StorageType.File, behind: names }]
  } catch (error) {
    if (apiCodeOf(error) === STREAM_NOT_FOUND) return []
    throw error
  }
}

/** Rejects while there is no link: what cannot be asked is not judged. */
const connectedTo = ({ nc }: FleetConnection) => {
  if (!nc.info) throw new Error('the link to the NATS server was lost')
  return nc.info
}

type JetStream = { streams: StreamCopies[] } | { problem: SafetyCheck }

const ENABLE = 'Add a block `jetstream { store_dir: ... }` to the configuration of each server.'

/** The streams that are there, once JetStream answers. */
const readStreams = async (
  { connection, names, clock }: InspectOptions,
  servers: readonly SeenServer[],
): Promise<JetStream> => {
  const isThere =
    servers.length > 0 ? servers.some(({ jetstream }) => jetstream) : connectedTo(connection).jetstream === true
  if (!isThere) return { problem: unsafe('jetstream', 'the servers run without JetStream', ENABLE) }
  let reason = ''
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await pause(clock, TRY_AGAIN_MS)
    try {
      await connection.jsm.getAccountInfo()
      const streams = await Promise.all(streamsOf(names).map(stream => copiesOf(connection, stream)))
      return { streams: streams.flat() }
    } catch (error) {
      if (apiCodeOf(error) === NOT_FOR_THIS_ACCOUNT) {
        const hint = 'Add `jetstream: enabled` to the account of this user.'
        return { problem: unsafe('jetstream', 'JetStream is not enabled for the account of this user', hint) }
      }
      reason = messageOf(error)
    }
  }
  const message = `JetStream does not answer: ${reason}. The servers have no leader, or this user may not ask`
  const hint = 'Check that most of the servers are running and can reach each other.'
  return { problem: { ...unsafe('jetstream', message, hint), isPassing: true } }
}

/** Servers of a cluster find each other one after the other. */
const seeCluster = async ({ connection, clock }: InspectOptions): Promise<SeenServer[]> => {
  let servers = await seeServers(connection, clock)
  for (let tries = 1; tries < TRIES / 2 && servers.length > 0 && servers.length < COPIES; tries += 1) {
    if (connection.nc.info?.cluster === undefined) break
    await pause(clock, TRY_AGAIN_MS)
    servers = await seeServers(connection, clock)
  }
  return servers
}

const readMonitors = async (urls: readonly string[]) => {
  const read = await Promise.all(
    urls.map(async (text, index) => {
      const address = readMonitorUrl(text)
      if (!address) return monitorProblem(index)
      const answer = await readMonitor(address)
      return typeof answer === 'string' ? `${address.url}: ${answer}` : answer
    }),
  )
  const monitored: Monitored[] = []
  const unreadable: string[] = []
  for (const answer of read) {
    if (typeof answer === 'string') unreadable.push(answer)
    else monitored.push(answer)
  }
  return { monitored, unreadable }
}

/** Changes nothing on the servers. Takes some seconds at most. Rejects where the link is lost meanwhile. */
export const inspectServers = async (options: InspectOptions): Promise<SafetyCheck[]> => {
  const { connection, names, self, monitors = [] } = options
  const [servers, user, { monitored, unreadable }] = await Promise.all([
    seeCluster(options),
    seeOwnUser(connection),
    readMonitors(monitors),
  ])
  const jetstream = await readStreams(options, servers)
  const streams = 'streams' in jetstream ? jetstream.streams : []
  const expected = streamsOf(names).length
  const info = connectedTo(connection)
  const connected = { name: info.server_name, version: info.version }
  return [
    checkVersions(servers.length > 0 ? servers : [connected]),
    'problem' in jetstream ? jetstream.problem : fine('jetstream', 'JetStream answers'),
    ...('problem' in jetstream ? [] : [checkCopies({ cluster: info.cluster, servers, streams, expected })]),
    checkSync(servers, monitored, unreadable),
    checkClocks(servers),
    checkPayload(info.max_payload),
    checkPermissions({ user, names, self, isSetUp: streams.length === expected }),
    checkIdentity({ user, names, self }),
  ]
}

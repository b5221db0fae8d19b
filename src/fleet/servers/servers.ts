/** Inspects the NATS servers: as a plain user, and on their monitoring ports where those are named. */
import * as v from 'valibot'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { EVERY_SERVER, OWN_USER } from '../permissions.ts'
import type { FleetConnection } from './connection.ts'
import type { MonitorAddress } from './server-urls.ts'

const ServerAnswer = v.object({
  server: v.object({
    id: v.string(),
    name: v.string(),
    ver: v.string(),
    cluster: v.optional(v.string()),
    jetstream: v.optional(v.boolean(), false),
    time: v.string(),
  }),
})

export interface SeenServer {
  id: string
  name: string
  version: string
  cluster: string | undefined
  jetstream: boolean
  /** Milliseconds by which its clock is surely ahead of ours, or behind if negative; 0 within the time of the question. */
  aheadMs: number
}

const ANSWERS_MS = 2_000
const UNTIL_QUIET_MS = 300

interface ClockReading {
  at: number
  answeredAt: number
}

const aheadMs = (time: number, { at, answeredAt }: ClockReading): number =>
  time > answeredAt ? time - answeredAt : Math.min(0, time - at)

/** Every server of the cluster that answers; none where this user may not ask. */
export const seeServers = async ({ nc }: FleetConnection, clock: Clock): Promise<SeenServer[]> => {
  const seen = new Map<string, SeenServer>()
  const at = clock.now()
  try {
    // A server on which this account has no connection answers only when asked for unused ones.
    const payload = JSON.stringify({ include_unused: true })
    const answers = await nc.requestMany(EVERY_SERVER, payload, {
      strategy: 'stall',
      maxWait: ANSWERS_MS,
      stall: UNTIL_QUIET_MS,
    })
    for await (const answer of answers) {
      const times = { at, answeredAt: clock.now() }
      const parsed = v.safeParse(ServerAnswer, answer.json())
      if (!parsed.success) continue
      const { id, name, ver, cluster, jetstream, time } = parsed.output.server
      seen.set(id, { id, name, version: ver, cluster, jetstream, aheadMs: aheadMs(Date.parse(time), times) })
    }
  } catch {
    // Not allowed, or nobody answers for the system: then nothing is seen this way.
  }
  return [...seen.values()].sort((one, two) => one.name.localeCompare(two.name))
}

const Subjects = v.optional(
  v.object({ allow: v.optional(v.array(v.string())), deny: v.optional(v.array(v.string()), []) }),
  {},
)

const UserAnswer = v.object({
  data: v.object({
    permissions: v.optional(v.object({ publish: Subjects, subscribe: Subjects, responses: v.optional(v.unknown()) })),
  }),
})

/** Reads what this user may publish and subscribe; no permissions means everything. Undefined when unreadable. */
export const seeOwnUser = async ({ nc }: FleetConnection) => {
  try {
    const answer = await nc.request(OWN_USER, '', { timeout: ANSWERS_MS })
    const parsed = v.safeParse(UserAnswer, answer.json())
    return parsed.success ? parsed.output.data : undefined
  } catch {
    return undefined
  }
}

export type OwnUser = NonNullable<Awaited<ReturnType<typeof seeOwnUser>>>

const Varz = v.object({
  server_id: v.string(),
  server_name: v.string(),
  jetstream: v.optional(
    v.object({
      config: v.optional(v.object({ sync_always: v.optional(v.boolean()), sync_interval: v.optional(v.number()) })),
    }),
  ),
})

export interface Monitored {
  id: string
  name: string
  /** How long what it has acknowledged may be in memory only; 0 for never. */
  syncMs: number
}

const NANOS = 1_000_000
/** The default of NATS, for servers that report no interval. */
const SYNC_MS = 2 * 60_000

/** Reads a monitoring port; a string says why it could not be read. */
export const readMonitor = async ({ url, authorization }: MonitorAddress): Promise<Monitored | string> => {
  try {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await fetch(new URL('/varz', url), { headers, signal: AbortSignal.timeout(ANSWERS_MS) })
    const { server_id: id, server_name: name, jetstream } = v.parse(Varz, await answer.json())
    const { sync_always: always, sync_interval: nanos } = jetstream?.config ?? {}
    return { id, name, syncMs: always ? 0 : nanos === undefined ? SYNC_MS : nanos / NANOS }
  } catch (error) {
    return messageOf(error)
  }
}

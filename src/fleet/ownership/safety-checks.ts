/** Judges the inspected servers: one check for each thing that must be right. */
import { defined } from '../../contracts/json/json.ts'
import { hostPermissions, streamCreation } from '../permissions.ts'
import type { Names } from '../servers/names.ts'
import type { Monitored, OwnUser, SeenServer } from '../servers/servers.ts'
import { covers, overlap } from '../servers/subjects.ts'

export interface SafetyCheck {
  check: string
  /** `unsafe`: a fleet may lose or mix up what it relies on. `warn`: it cannot be seen, or only weakens it. */
  level: 'ok' | 'warn' | 'unsafe'
  message: string
  hint?: string
  details?: Record<string, unknown>
  /** No setting is wrong: it may pass by itself. */
  isPassing?: true
}

const row =
  (level: SafetyCheck['level']) =>
  (check: string, message: string, hint?: string, details?: SafetyCheck['details']): SafetyCheck => ({
    check,
    level,
    message,
    ...defined({ hint, details }),
  })

export const fine = row('ok')
export const warn = row('warn')
export const unsafe = row('unsafe')

const ASK_FOR_SIGHT = 'Allow this user to publish to $SYS.REQ.ACCOUNT.PING.STATZ and $SYS.REQ.USER.INFO.'

const namesOfAll = (servers: readonly { name: string }[]) => servers.map(({ name }) => name).join(', ')

const LEAST = [2, 11] as const

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])
}

export const checkVersions = (servers: readonly Pick<SeenServer, 'name' | 'version'>[]): SafetyCheck => {
  const versions = (some: typeof servers) => some.map(({ name, version }) => `${name} (${version})`).join(', ')
  const old = servers.filter(({ version }) => isOld(version))
  if (old.length === 0) return fine('version', versions(servers))
  return unsafe(
    'version',
    `older than nats-server ${LEAST.join('.')}, and without direct reads of many messages: ${versions(old)}`,
    `Install nats-server ${LEAST.join('.')} or newer on each.`,
  )
}

/** A majority of them decides, so that one may fail. */
export const COPIES = 3

export interface StreamCopies {
  stream: string
  copies: number
  isOnDisk: boolean
  /** Servers that hold a copy, and do not have all of it at present. */
  behind: readonly string[]
}

export interface CopiesSeen {
  /** The cluster of the server we are connected to; undefined for one that stands alone. */
  cluster: string | undefined
  /** The servers that answered. */
  servers: readonly Pick<SeenServer, 'name' | 'cluster' | 'jetstream'>[]
  /** The streams of the fleet that are there. */
  streams: readonly StreamCopies[]
  /** How many of them there should be. */
  expected: number
}

const THREE = 'Run three servers with JetStream as one cluster, on three machines.'

export const checkCopies = ({ cluster, servers, streams, expected }: CopiesSeen): SafetyCheck => {
  const few = streams.filter(({ copies }) => copies < COPIES)
  if (few.length > 0) {
    const which = few.map(({ stream, copies }) => `${stream} (${copies})`).join(', ')
    return unsafe(
      'copies',
      `fewer than ${COPIES} copies of ${which}: with one server everything in them can be lost`,
      `${THREE} Then raise the copies of each stream: nats stream edit <stream> --replicas=${COPIES}`,
    )
  }
  const volatile = streams.filter(({ isOnDisk }) => !isOnDisk)
  if (volatile.length > 0) {
    return unsafe(
      'copies',
      `kept in memory only: ${volatile.map(({ stream }) => stream).join(', ')}`,
      'Delete these streams while no host is in the fleet; svc makes them anew on disk.',
    )
  }
  const able = servers.filter(server => server.jetstream && server.cluster === cluster)
  if (streams.length === expected) {
    const behind = [...new Set(streams.flatMap(stream => stream.behind))]
    return behind.length === 0
      ? fine('copies', `${COPIES} or more of each stream, all up to date`)
      : warn(
          'copies',
          `not up to date or not reachable: ${behind.join(', ')}`,
          'Check that these servers are running and can be reached.',
        )
  }
  if (cluster === undefined) {
    return unsafe('copies', 'a single server has the only copy of everything: if it is lost, so are the owners', THREE)
  }
  if (able.length >= COPIES) return fine('copies', `${able.length} servers with JetStream: ${namesOfAll(able)}`)
  if (servers.length === 0) {
    return warn('copies', `the servers of the cluster ${cluster} cannot be counted by this user`, ASK_FOR_SIGHT)
  }
  return unsafe(
    'copies',
    `${able.length} of the ${COPIES} servers with JetStream that it takes answer${able.length > 0 ? `: ${namesOfAll(able)}` : ''}`,
    THREE,
  )
}

/** The other hosts wait this long, too, before they fence a silent host. */
const SYNC_SHORT_MS = 10_000

/**
 * A server that loses power forgets what it acknowledged and had not yet put on disk. Together with one other server that
 * was behind, it is then a majority that knows nothing of an owner.
 */
export const checkSync = (
  servers: readonly Pick<SeenServer, 'id' | 'name'>[],
  monitored: readonly Monitored[],
  unreadable: readonly string[],
): SafetyCheck => {
  const hint = 'Set `sync_interval: always` in the block jetstream of each server.'
  const late = monitored.filter(({ syncMs }) => syncMs > 0)
  const say = late.map(({ name, syncMs }) => `${name} after up to ${syncMs / 1_000} s`).join(', ')
  const message = `a power failure can undo what was acknowledged: written to disk by ${say}`
  if (late.some(({ syncMs }) => syncMs > SYNC_SHORT_MS)) return unsafe('sync', message, hint)
  const look = 'Name the monitoring address of each server in SVC_FLEET_MONITOR: http://<host>:8222,...'
  if (unreadable.length > 0) return warn('sync', `cannot be read: ${unreadable.join('; ')}`, look)
  const unseen = servers.filter(({ id }) => !monitored.some(each => each.id === id))
  if (monitored.length === 0 || unseen.length > 0) {
    const whose = unseen.length > 0 ? namesOfAll(unseen) : 'the servers'
    return warn('sync', `cannot be seen of ${whose}: when they write to disk what they acknowledge`, `${look} ${hint}`)
  }
  if (late.length > 0) return warn('sync', message, hint)
  return fine('sync', 'everything is on disk before it is acknowledged')
}

const CLOCKS_MS = 5_000

export const checkClocks = (servers: readonly Pick<SeenServer, 'name' | 'aheadMs'>[]): SafetyCheck => {
  if (servers.length === 0) return warn('clock', 'the clocks of the servers cannot be seen by this user', ASK_FOR_SIGHT)
  const far = servers.filter(({ aheadMs }) => Math.abs(aheadMs) > CLOCKS_MS)
  if (far.length === 0) return fine('clock', 'the clocks of this host and of the servers agree')
  const say = far.map(
    ({ name, aheadMs }) => `${name} ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`,
  )
  return unsafe(
    'clock',
    `far from the clock of this host: ${say.join(', ')}`,
    'Let all of them follow one time server.',
  )
}

export const PAYLOAD_BYTES_MIN = 512 * 1_024

export const checkPayload = (bytes: number): SafetyCheck =>
  bytes >= PAYLOAD_BYTES_MIN
    ? fine('payload', `messages of up to ${bytes} bytes`)
    : unsafe(
        'payload',
        `the servers take messages of at most ${bytes} bytes; ${PAYLOAD_BYTES_MIN} are needed`,
        'Set `max_payload: 1MB` on each server, which is the default.',
      )

type Rules = NonNullable<OwnUser['permissions']>['publish']

/** Queue groups stand behind the subject. */
const subjectOf = (rule: string) => rule.split(' ')[0] ?? ''

const allows = ({ allow, deny = [] }: Rules, subject: string): boolean =>
  (allow === undefined || allow.some(rule => covers(subjectOf(rule), subject))) &&
  !deny.some(rule => overlap(subjectOf(rule), subject))

export interface UserSeen {
  user: OwnUser | undefined
  names: Names
  self: string
  /** All streams of the fleet are there: nobody has to make them. */
  isSetUp: boolean
}

const OWN_USER = 'Give each host a user of its own: svc fleet permissions prints what each of them may do.'

export const checkPermissions = ({ user, names, self, isSetUp }: UserSeen): SafetyCheck => {
  if (!user) return warn('permissions', 'what this user may do cannot be seen', ASK_FOR_SIGHT)
  const { permissions } = user
  if (!permissions) return fine('permissions', 'this user may publish and subscribe everything')
  const needed = hostPermissions(names, self)
  const made = streamCreation(names)
  const missing = [
    ...needed.publish
      .filter(subject => !(isSetUp && made.includes(subject)))
      .filter(subject => !(permissions.responses !== undefined && subject === `${names.inbox('*')}.>`))
      .filter(subject => !allows(permissions.publish, subject))
      .map(subject => `publish ${subject}`),
    ...needed.subscribe
      .filter(subject => !allows(permissions.subscribe, subject))
      .map(subject => `subscribe ${subject}`),
  ]
  if (missing.length === 0) return fine('permissions', `this user may do all that the host ${self} does`)
  return unsafe('permissions', `the servers do not allow the host ${self} to ${missing.join(', ')}`, OWN_USER, {
    ...needed,
  })
}

export const checkIdentity = ({ user, names, self }: Omit<UserSeen, 'isSetUp'>): SafetyCheck => {
  if (!user) return warn('identity', 'whether this user can speak as another host cannot be seen', ASK_FOR_SIGHT)
  const other = self === 'another' ? 'yet-another' : 'another'
  const asOther = [names.beat(other), names.log(other), names.request(self, other)]
  const { permissions } = user
  const can = permissions === undefined || asOther.some(subject => allows(permissions.publish, subject))
  return can
    ? warn('identity', 'this user can speak as each host, so hosts believe one another unproved', OWN_USER, {
        ...hostPermissions(names, self),
      })
    : fine('identity', `this user can speak as the host ${self} only`)
}

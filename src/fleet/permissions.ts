/** Builds the `authorization` block of the NATS servers, under which a host can only speak as itself. */
import { FLEET_HOST } from '../contracts/limits/fleet-limits.ts'
import type { Names } from './servers/names.ts'
import { FleetConfigurationError } from './servers/server-urls.ts'

export interface Permissions {
  publish: string[]
  subscribe: string[]
}

export interface Member {
  /** The host may publish only under this name. */
  id: string
  /** The public half of its NKey: `nk -gen user -pubout` prints both. */
  nkey: string
}

export interface Members {
  hosts: readonly Member[]
  /** Read, and ask hosts: `svc watch` and the like. */
  clients: readonly Member[]
}

/** Every server answers the second one for the account of who asks: how `inspectServers` counts them. */
export const OWN_USER = '$SYS.REQ.USER.INFO'
export const EVERY_SERVER = '$SYS.REQ.ACCOUNT.PING.STATZ'

export const bucketStream = (bucket: string) => `KV_${bucket}`
export const bucketKey = (bucket: string, key: string) => `$KV.${bucket}.${key}`

/** Every stream of a fleet, those under its buckets included. */
export const streamsOf = ({ logStream, receiptStream, hosts, owners, keys }: Names): string[] => [
  logStream,
  receiptStream,
  ...[hosts, owners, keys].map(bucketStream),
]

/**
 * Nobody may make consumers: one delivers what a stream keeps to any subject, also to those of others. Whatever is read is
 * read with direct gets, which every server of 2.11 has.
 */
const readingOf = (names: Names): string[] =>
  streamsOf(names).flatMap(stream => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
  ])

/** Every member publishes these to find out about the servers and itself. */
const LOOKING_TYPES = ['$JS.API.INFO', OWN_USER, EVERY_SERVER]

const listeningOf = (names: Names, self: string): string[] => [names.beat('*'), `${names.inbox(self)}.>`]

/** Publishing these creates the streams, which happens once. */
export const streamCreation = (names: Names): string[] =>
  streamsOf(names).map(stream => `$JS.API.STREAM.CREATE.${stream}`)

export const hostPermissions = (names: Names, self: string): Permissions => ({
  publish: [
    names.beat(self),
    names.log(self),
    names.receipt(self, '*'),
    names.request('*', self),
    // Answers: where one is expected is a secret between the two.
    `${names.inbox('*')}.>`,
    bucketKey(names.hosts, self),
    // A silent host is fenced by the others, so leases and owners are written by all, each under its revision.
    bucketKey(names.owners, names.lease('*')),
    bucketKey(names.owners, 'phone.*'),
    bucketKey(names.owners, names.forgotten('*')),
    bucketKey(names.keys, '*'),
    ...streamCreation(names),
    ...readingOf(names),
    ...LOOKING_TYPES,
  ],
  subscribe: [names.request(self, '*'), ...listeningOf(names, self)],
})

export const clientPermissions = (names: Names, self: string): Permissions => ({
  publish: [names.request('*', self), ...readingOf(names), ...LOOKING_TYPES],
  subscribe: listeningOf(names, self),
})

const PUBLIC_KEY = /^U[A-Z2-7]{55}$/

const check = (members: readonly Member[]) => {
  for (const { id, nkey } of members) {
    if (!FLEET_HOST.test(id)) {
      throw new FleetConfigurationError(
        `${JSON.stringify(id)} cannot be an id in a fleet: use up to 63 of a-z, 0-9 and -, the first not being -.`,
      )
    }
    if (!PUBLIC_KEY.test(nkey)) {
      throw new FleetConfigurationError(
        `The key of ${id} is not the public NKey of a user. Expected 56 characters, the first one U.`,
      )
    }
  }
  for (const which of ['id', 'nkey'] as const) {
    const seen = new Set<string>()
    for (const { [which]: value } of members) {
      if (seen.has(value)) throw new FleetConfigurationError(`Two members of the fleet have the ${which} ${value}.`)
      seen.add(value)
    }
  }
}

const listOf = (subjects: readonly string[]) => subjects.map(subject => `        "${subject}"`).join('\n')

const userOf = ({ id, nkey }: Member, { publish, subscribe }: Permissions) => `    # ${id}
    { nkey: ${nkey}, permissions: {
      publish: { allow: [
${listOf(publish)}
      ] }
      subscribe: { allow: [
${listOf(subscribe)}
      ] }
    } }`

/** The same on each server. Throws FleetConfigurationError for ids and keys that are not valid or not unique. */
export const authorizationOf = (names: Names, { hosts, clients }: Members): string => {
  check([...hosts, ...clients])
  const users = [
    ...hosts.map(host => userOf(host, hostPermissions(names, host.id))),
    ...clients.map(client => userOf(client, clientPermissions(names, client.id))),
  ]
  return `authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`
}

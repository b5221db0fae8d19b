/** The connection to NATS: never given up, dead links noticed within seconds, and who we are to the servers. */
import { readFileSync } from 'node:fs'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type Authenticator, connect, credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Names } from './names.ts'
import { FleetConfigurationError, readUrls } from './server-urls.ts'

export interface FleetAddress {
  /** The URLs as given; they may contain user and password. */
  urls: readonly string[]
  names: Names
  /** The id of this host, or of this client: what it may publish as. */
  self: string
  /** A file with an NKey seed, or a .creds file. */
  credsFile?: string | undefined
  /** Certificates of authorities to trust beside none of the system's. */
  caFile?: string | undefined
}

/** Waiting does not help: the servers do not let us in, or we have no credentials. */
export const isFinal = (error: unknown): boolean =>
  error instanceof FleetConfigurationError ||
  /authorization violation|authentication|authoriz|certificate|self.signed/i.test(messageOf(error))

const PING_MS = 2_000
const PINGS_UNANSWERED_MAX = 2
const RECONNECT_WAIT_MS = 500
const CONNECT_MS = 4_000
const REQUEST_MS = 5_000
const DRAIN_MS = 1_000

const SEED = /\bSU[A-Z2-7]{56}\b/

const isSecret = (file: string) => SEED.test(file) || /BEGIN (NATS USER JWT|USER NKEY SEED)/.test(file)

/** A seed may stand alone or in its usual frame of dashes; a .creds file has a JWT before it. */
const authenticatorOf = (file: string): Authenticator => {
  // A seed given in the place of its file is a secret, and the message of a failed read repeats the path.
  if (isSecret(file)) {
    throw new FleetConfigurationError('--fleet-creds holds a key. Expected the path of a file with the key in it.')
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new FleetConfigurationError(`The file of --fleet-creds cannot be read: ${messageOf(error)}`)
  }
  const [seed] = SEED.exec(text) ?? []
  try {
    if (/BEGIN NATS USER JWT/.test(text)) return credsAuthenticator(Buffer.from(text))
    if (seed !== undefined) return nkeyAuthenticator(Buffer.from(seed))
  } catch {
    // Falls through: the message of the library may quote what it could not read.
  }
  throw new FleetConfigurationError(`${file} holds neither an NKey seed of a user nor credentials of a user.`)
}

const optionsOf = ({ urls, names, self, credsFile, caFile }: FleetAddress) => {
  const { servers, user, pass, tls } = readUrls(urls)
  return {
    servers,
    name: `svc ${names.fleet} ${self}`,
    inboxPrefix: names.inbox(self),
    ...(user === undefined ? {} : { user, pass: pass ?? '' }),
    ...(credsFile === undefined ? {} : { authenticator: authenticatorOf(credsFile) }),
    ...(tls || caFile !== undefined ? { tls: caFile === undefined ? {} : { caFile } } : {}),
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    // Else each request makes an Error beforehand, to say later where it was made.
    noAsyncTraces: true,
  }
}

/** Makes a connection: the one of the NATS client unless told. */
export type ConnectNats = typeof connect

/** Rejects when no server can be reached now, or FleetConfigurationError; once connected, it reconnects for ever. */
export const connectFleet = async (address: FleetAddress, clock: Clock, connectNats: ConnectNats = connect) => {
  const nc = await connectNats(optionsOf(address))
  const listeners = new Set<(isUp: boolean) => void>()
  let isUp = true
  const become = (now: boolean) => {
    if (now === isUp) return
    isUp = now
    for (const listener of listeners) listener(now)
  }
  const follow = async () => {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect' || type === 'staleConnection') become(false)
      if (type === 'reconnect') become(true)
    }
    become(false)
  }
  void follow()
  return {
    nc,
    js: jetstream(nc, { timeout: REQUEST_MS }),
    jsm: await jetstreamManager(nc, { checkAPI: false, timeout: REQUEST_MS }),
    /** The version of the server that this is connected to now. */
    serverVersion: () => nc.info?.version ?? '0.0.0',
    /** False between a lost link and the next one. */
    isUp: () => isUp && !nc.isClosed(),
    /** Hears when the link is lost, and when there is one again. */
    onChange(listener: (isUp: boolean) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      // A drain waits for the link, which may not come back.
      const drained = new AbortController()
      await Promise.race([nc.drain().catch(() => {}), pause(clock, DRAIN_MS, drained.signal)])
      drained.abort()
      await nc.close().catch(() => {})
    },
  }
}

export type FleetConnection = Awaited<ReturnType<typeof connectFleet>>

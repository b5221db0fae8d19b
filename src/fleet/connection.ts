/** The connection to NATS: never given up, dead links noticed within seconds, and who we are to the servers. */
import { readFileSync } from 'node:fs'
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { type Clock, pause } from '../runtime/clock.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { Names } from './names.ts'

export interface FleetAddress {
  /** As given; user and password may be in them. */
  urls: readonly string[]
  names: Names
  /** The id of this host, or of this client: what it may publish as. */
  self: string
  /** A file with an NKey seed, or a .creds file. */
  credsFile?: string | undefined
  /** Certificates of authorities to trust beside none of the system's. */
  caFile?: string | undefined
}

export interface FleetConnection {
  nc: NatsConnection
  js: JetStreamClient
  jsm: JetStreamManager
  /** Of the server this is connected to at the moment. */
  serverVersion(): string
  /** False between a lost link and the next one. */
  isUp(): boolean
  /** Hears when the link is lost, and when there is one again. */
  onChange(listener: (isUp: boolean) => void): () => void
  close(): Promise<void>
}

/** The credentials or the servers are wrong in a way that waiting does not cure. */
export class FleetConfigurationError extends Error {}

/** What waiting does not cure: the servers do not let us in, or we have nothing to show them. */
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

/** A seed may stand alone or in its usual frame of dashes; a .creds file has a JWT before it. */
const authenticatorOf = (file: string): Authenticator => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new FleetConfigurationError(`The file of --fleet-creds cannot be read: ${messageOf(error)}`)
  }
  if (/BEGIN NATS USER JWT/.test(text)) return credsAuthenticator(Buffer.from(text))
  const [seed] = SEED.exec(text) ?? []
  if (seed === undefined) {
    throw new FleetConfigurationError(`${file} holds neither an NKey seed of a user nor credentials of a user.`)
  }
  return nkeyAuthenticator(Buffer.from(seed))
}

/** What NATS takes apart: addresses without, and once the user and password. */
export const readUrls = (
  urls: readonly string[],
): { servers: string[]; user?: string; pass?: string; tls: boolean } => {
  const servers: string[] = []
  let user: string | undefined
  let pass: string | undefined
  let tls = false
  for (const text of urls) {
    let url: URL
    try {
      url = new URL(text.includes('://') ? text : `nats://${text}`)
    } catch {
      throw new FleetConfigurationError(`${JSON.stringify(text)} is not the URL of a NATS server.`)
    }
    if (url.protocol !== 'nats:' && url.protocol !== 'tls:') {
      throw new FleetConfigurationError(
        `The URL of a NATS server begins with nats:// or tls://, not ${url.protocol}//.`,
      )
    }
    if (url.hostname === '') throw new FleetConfigurationError(`${JSON.stringify(text)} names no host.`)
    tls ||= url.protocol === 'tls:'
    if (url.username !== '') {
      user = decodeURIComponent(url.username)
      pass = decodeURIComponent(url.password)
    }
    servers.push(`${url.hostname}:${url.port || '4222'}`)
  }
  return { servers, tls, ...(user === undefined ? {} : { user, pass: pass ?? '' }) }
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

/** Rejects when no server can be reached now, or FleetConfigurationError; once connected, it reconnects for ever. */
export const connectFleet = async (address: FleetAddress, clock: Clock): Promise<FleetConnection> => {
  const nc = await connect(optionsOf(address))
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
    serverVersion: () => nc.info?.version ?? '0.0.0',
    isUp: () => isUp && !nc.isClosed(),
    onChange(listener) {
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

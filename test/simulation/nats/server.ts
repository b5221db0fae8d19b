/** Simulated NATS servers: they pass messages on, keep streams, and fail as they are told. */
import { covers } from '../../../src/fleet/servers/subjects.ts'
import { ownedClock } from '../clock.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import { type Answer, createJetStream, type Wired } from './api.ts'
import { kindOf, openSocket, type Socket, type SocketOptions, type ToServer, type Way } from './link.ts'

/** Chances are of each message; all is 0 in fair weather. */
export interface Weather {
  /** A message between clients, on each of its ways; what streams store goes by `ackLost`. */
  lost: number
  twice: number
  /** The servers say that nobody listens where somebody does. */
  nobody: number
  /** The servers did what was asked, and the answer is lost. */
  ackLost: number
  /** The servers answer sequence 0, and have stored it later or never. */
  ackZero: number
  /** Direct reads are answered by a server that is behind by up to this. */
  staleMs: number
  /** Other clients are heard of a new subscription up to this late. */
  interestMs: number
}

export const FAIR: Weather = { lost: 0, twice: 0, nobody: 0, ackLost: 0, ackZero: 0, staleMs: 0, interestMs: 0 }

/** `silent`: who asks JetStream hears nothing; `nobody`: the servers say that nobody is there. */
export type Leader = 'there' | 'silent' | 'nobody'

const OWN_USER = '$SYS.REQ.USER.INFO'
const EVERY_SERVER = '$SYS.REQ.ACCOUNT.PING.STATZ'
const VERSION = '2.12.0'
const SERVERS = ['n1', 'n2', 'n3']
const EMPTY = new Uint8Array()
const DECIDED_LATER_MS = { min: 50, max: 3_000 }
/** Both sides ask whether the other one is there. */
const PINGED_MS = { min: 4_000, max: 6_000 }

export interface NatsOptions {
  scheduler: Scheduler
}

export const createNats = ({ scheduler }: NatsOptions) => {
  const owner = scheduler.owner('nats')
  const clock = ownedClock(scheduler, owner, { setBy: 0 })
  const jetstream = createJetStream(clock.now)
  const sockets = new Set<Socket>()
  const ways = new Map<string, Way>()
  /** Writes that no leader has decided. */
  let undecided: { message: Wired; id: string | undefined }[] = []
  let isDown = false

  const chance = (socket: Socket, likely: number) => likely > 0 && socket.client.random.chance(likely)

  const wayOf = (host: string): Way => {
    const known = ways.get(host) ?? { state: 'whole', extraMs: 0, held: [] }
    ways.set(host, known)
    return known
  }

  const listeners = (subject: string, from: Socket | undefined) =>
    [...sockets].flatMap(socket =>
      [...socket.subscriptions].flatMap(([sid, one]) =>
        covers(one.subject, subject) && (socket === from || one.since <= scheduler.now()) ? [{ socket, sid }] : [],
      ),
    )

  const answer = (reply: string | undefined, { data, headers, status }: Answer) => {
    if (reply === undefined) return
    const message: Wired = { subject: reply, data, headers, ...(status ? { status } : {}) }
    for (const { socket, sid } of listeners(reply, undefined)) socket.toClient({ kind: 'message', sid, message })
  }
  const sayNobody = (reply: string | undefined) =>
    answer(reply, { data: EMPTY, headers: [], status: { code: 503, description: 'No Responders' } })

  const systemAnswers = (subject: string): Answer[] | undefined => {
    const json = (value: object): Answer => ({ data: Buffer.from(JSON.stringify(value)), headers: [] })
    if (subject === OWN_USER) return [json({ data: { user: '', account: '$G' } })]
    if (subject !== EVERY_SERVER) return undefined
    const time = new Date(clock.now()).toISOString()
    return SERVERS.map(name =>
      json({ server: { id: name, name, ver: VERSION, cluster: 'simulated', jetstream: true, time } }),
    )
  }

  const decide = (message: Wired) => {
    const stream = jetstream.streamOf(message.subject)
    if (stream) jetstream.store(stream, message)
    undecided = undecided.filter(one => one.message !== message)
  }

  const idOf = ({ headers }: Wired) => headers.find(([name]) => name === 'Nats-Msg-Id')?.[1]

  const toStream = (socket: Socket, message: Wired): Answer | undefined => {
    const stream = jetstream.streamOf(message.subject)
    if (!stream) return undefined
    const zero: Answer = {
      data: Buffer.from(JSON.stringify({ stream: stream.config.name, seq: 0, duplicate: true })),
      headers: [],
    }
    const id = idOf(message)
    if (id !== undefined && undecided.some(one => one.id === id)) return zero
    if (!chance(socket, nats.weather.ackZero)) return jetstream.store(stream, message)
    scheduler.note(owner, `acknowledges ${kindOf(message.subject)} with 0`)
    if (socket.client.random.chance(0.5)) {
      undecided.push({ message, id })
      const later = socket.client.random.int(DECIDED_LATER_MS.min, DECIDED_LATER_MS.max)
      scheduler.post(owner, later, 'decides a write', () => decide(message))
    }
    return zero
  }

  const withoutLeader = (socket: Socket, message: Wired) => {
    const isWrite = jetstream.streamOf(message.subject) !== undefined
    if (nats.leader === 'nobody') return sayNobody(message.reply)
    if (isWrite && socket.client.random.chance(0.5)) undecided.push({ message, id: idOf(message) })
  }

  const pass = (socket: Socket, message: Wired) => {
    const { subject, reply } = message
    const { weather } = nats
    if (reply !== undefined && chance(socket, weather.nobody)) return sayNobody(reply)
    const heard = listeners(subject, socket)
    if (heard.length === 0) return sayNobody(reply)
    for (const { socket: to, sid } of heard) {
      for (let copy = chance(socket, weather.twice) ? 2 : 1; copy > 0; copy--) {
        if (chance(socket, weather.lost)) scheduler.note(owner, `loses ${kindOf(subject)}`)
        else to.toClient({ kind: 'message', sid, message })
      }
    }
  }

  const route = (socket: Socket, message: Wired) => {
    const { subject, reply } = message
    const { weather } = nats
    if (nats.leader !== 'there' && jetstream.needsLeader(subject)) return withoutLeader(socket, message)
    const asOf = clock.now() - (weather.staleMs > 0 ? socket.client.random.int(0, weather.staleMs) : 0)
    const stored = toStream(socket, message)
    const answers = stored ? [stored] : (jetstream.answers(message, asOf) ?? systemAnswers(subject))
    if (!answers) return pass(socket, message)
    if (chance(socket, weather.ackLost)) return scheduler.note(owner, `loses its answer to ${kindOf(subject)}`)
    for (const one of answers) answer(reply, one)
    if (stored)
      for (const { socket: to, sid } of listeners(subject, socket)) to.toClient({ kind: 'message', sid, message })
  }

  const obey = (socket: Socket, frame: ToServer) => {
    switch (frame.kind) {
      case 'publish':
        return route(socket, frame.message)
      case 'subscribe': {
        const late = nats.weather.interestMs
        const since = scheduler.now() + (late > 0 ? socket.client.random.int(0, late) : 0)
        return void socket.subscriptions.set(frame.sid, { subject: frame.subject, since })
      }
      case 'unsubscribe':
        return void socket.subscriptions.delete(frame.sid)
      case 'ping':
        return socket.toClient({ kind: 'pong', number: frame.number })
    }
  }

  const endAll = (isOf: (socket: Socket) => boolean) => {
    for (const socket of [...sockets].filter(isOf)) {
      sockets.delete(socket)
      socket.end({ client: true, server: false })
    }
  }
  /** The sockets of each host. */
  const hosts = new Map<Socket, string>()

  const nats = {
    owner,
    version: VERSION,
    weather: FAIR,
    leader: 'there' as Leader,
    /** Undefined when nobody takes the call; a call into silence is never answered. */
    dial(
      client: Owner,
      host: string,
      hears: Pick<SocketOptions, 'onClient' | 'onClientEnd'>,
    ): Socket | 'refused' | 'silent' {
      const way = wayOf(host)
      if (way.state === 'silent') return 'silent'
      if (way.state === 'cut' || isDown) return 'refused'
      const onServerEnd = (socket: Socket) => void sockets.delete(socket)
      const socket = openSocket({ scheduler, client, server: owner, way, ...hears, onServer: obey, onServerEnd })
      sockets.add(socket)
      hosts.set(socket, host)
      return socket
    },
    /** The client has closed it, or given it up; what was sent before is still taken where there is a way. */
    hangUp(socket: Socket) {
      socket.isOver = true
      sockets.delete(socket)
    },
    /** The process is gone; without power, nothing tells the servers before they ask. */
    died(client: Owner, isSilent: boolean) {
      for (const socket of [...sockets].filter(one => one.client === client)) {
        const { min, max } = isSilent ? PINGED_MS : { min: 0, max: 30 }
        scheduler.post(owner, owner.random.int(min, max), 'drops a client', () => nats.hangUp(socket))
      }
    },
    cut(host: string, kind: 'cut' | 'silent') {
      const way = wayOf(host)
      way.state = kind
      const isOfHost = (socket: Socket) => hosts.get(socket) === host
      if (kind === 'cut') return endAll(isOfHost)
      const cut = way.held
      scheduler.post(owner, owner.random.int(PINGED_MS.min, PINGED_MS.max), 'misses a host', () => {
        if (way.state === 'silent' && way.held === cut) endAll(isOfHost)
      })
    },
    slow(host: string, extraMs: number) {
      wayOf(host).extraMs = extraMs
    },
    heal(host: string) {
      const way = wayOf(host)
      const { held } = way
      Object.assign(way, { state: 'whole', held: [] })
      for (const arrive of held) arrive()
    },
    loseLeader(kind: Exclude<Leader, 'there'>) {
      nats.leader = kind
    },
    findLeader() {
      if (nats.leader === 'there') return
      nats.leader = 'there'
      for (const { message } of [...undecided]) decide(message)
    },
    /** Every client loses its link; what was stored stays, what was undecided is lost. */
    stop() {
      isDown = true
      undecided = []
      endAll(() => true)
    },
    start() {
      isDown = false
    },
    loseStore: jetstream.loseAll,
    links: (client: Owner): number => [...sockets].filter(one => one.client === client).length,
  }
  return nats
}

export type Nats = ReturnType<typeof createNats>

/** Forwards and reverses that this process holds, to devices that it speaks to directly: they end with it. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { portIn } from '../../../contracts/device/forwards.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { onAbort } from '../bounded.ts'
import type { CallOptions, Link, LinkSocket } from '../link.ts'
import { addReverse, removeReverse } from './device-reverses.ts'
import { type ForwardAnswer, type PortPair, refusalOf, refusedForward } from './port-pair.ts'
import { pump } from './pump.ts'

export const HELD_MAX = 64
export const CONNECTIONS_MAX = 64
const LOOPBACK = '127.0.0.1'
/** To open the link and the service for one connection. */
const OPEN_MS = 10_000
const REVERSE_MS = 10_000
/** Between two attempts to set up the reverses of a device that was away. */
const AGAIN_MS = 2_000

interface Held {
  kind: 'forward' | 'reverse'
  serial: string
  pair: PortPair
  end(): void
}

interface HeldOptions {
  clock: Clock
  /** The link of a device, opened when there is none. */
  link(serial: string, call: CallOptions): Promise<Link>
  /** A line for the log. */
  note(text: string): void
}

type Add = (serial: string, pair: PortPair, replace: boolean, call: CallOptions) => Promise<ForwardAnswer<PortPair>>

export interface HeldForwards {
  list(kind: Held['kind'], serial: string): readonly PortPair[]
  addForward: Add
  addReverse: Add
  remove(kind: Held['kind'], serial: string, end: string, call: CallOptions): Promise<ForwardAnswer<undefined>>
  count(): number
  close(): void
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off('error', reject)
      server.on('error', () => {})
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

const listeningEnd = ({ kind, pair }: Pick<Held, 'kind' | 'pair'>): string =>
  kind === 'forward' ? pair.local : pair.remote
const targetEnd = ({ kind, pair }: Pick<Held, 'kind' | 'pair'>): string =>
  kind === 'forward' ? pair.remote : pair.local

const noPort = ({ local }: PortPair) =>
  refusedForward('unsupported', `without an adb server, the local end must be tcp:<port>, not ${local}`)

/** Resolves once one of them has aborted. */
const anyAborted = (...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise(resolve => onAbort(AbortSignal.any([...signals]), resolve))

export const createHeldForwards = ({ clock, link: linkOf, note }: HeldOptions): HeldForwards => {
  let held: readonly Held[] = []
  const over = new AbortController()

  const find = (kind: Held['kind'], serial: string, end: string) =>
    held.find(
      each => each.kind === kind && listeningEnd(each) === end && (kind === 'forward' || each.serial === serial),
    )
  const forget = (one: Held) => {
    held = held.filter(each => each !== one)
    one.end()
  }

  /** The answer where the listening end is in use already; undefined once it is free. */
  const standing = async (
    { kind, serial, pair }: Pick<Held, 'kind' | 'serial' | 'pair'>,
    replace: boolean,
    call: CallOptions,
  ): Promise<ForwardAnswer<PortPair> | undefined> => {
    const found = find(kind, serial, listeningEnd({ kind, pair }))
    if (found?.serial === serial && targetEnd(found) === targetEnd({ kind, pair }))
      return { ok: true, value: found.pair }
    if (found && !replace) return refusedForward('taken', `${listeningEnd(found)} is in use`, found.pair)
    if (found) await remove(kind, found.serial, listeningEnd(found), call)
    if (held.length < HELD_MAX) return undefined
    return refusedForward('limit', `this process holds ${HELD_MAX} forwards, and takes no more`)
  }

  const openService = async (serial: string, service: string): Promise<LinkSocket> => {
    const call = { deadline: clock.now() + OPEN_MS, signal: over.signal }
    return (await linkOf(serial, call)).socket(service, call)
  }

  const addForward: Add = async (serial, pair, replace, call) => {
    const port = portIn(pair.local)
    if (port === undefined) return noPort(pair)
    const found = await standing({ kind: 'forward', serial, pair }, replace, call)
    if (found) return found
    const sockets = new Set<Socket>()
    const server = createServer(socket => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
      openService(serial, pair.remote).then(
        device => (socket.destroyed ? device.close() : pump(socket, device)),
        (error: unknown) => {
          note(`${pair.local} cannot reach ${pair.remote} of device ${serial}: ${messageOf(error)}`)
          socket.destroy()
        },
      )
    })
    server.maxConnections = CONNECTIONS_MAX
    try {
      const local = `tcp:${await listen(server, port)}`
      const end = () => {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
      const one: Held = { kind: 'forward', serial, pair: { ...pair, local }, end }
      if (over.signal.aborted) end()
      else held = [...held, one]
      return { ok: true, value: one.pair }
    } catch (error) {
      return refusalOf(messageOf(error))
    }
  }

  const serveReverse = (port: number, sockets: Set<Socket>) => (device: LinkSocket) => {
    if (sockets.size >= CONNECTIONS_MAX) return device.close()
    const socket = connect({ host: LOOPBACK, port })
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return void pump(socket, device)
  }

  /** The device forgets its listeners when the link ends: they are set up again on the next one, for as long as it takes. */
  const keepReverse = async (one: Held, port: number, sockets: Set<Socket>, first: Link, ended: AbortSignal) => {
    const serve = serveReverse(port, sockets)
    let link = first
    while (!ended.aborted) {
      const release = link.accept?.(one.pair.local, serve)
      await anyAborted(link.lost, ended)
      release?.()
      while (!ended.aborted) {
        await pause(clock, AGAIN_MS, ended)
        const call = { deadline: clock.now() + REVERSE_MS, signal: ended }
        const next = await linkOf(one.serial, call).catch(() => undefined)
        const isSet = next && (await addReverse(next, one.pair, { clock, replace: true }, call).catch(() => undefined))
        if (!next || !isSet?.ok) continue
        link = next
        break
      }
    }
  }

  const addHeldReverse: Add = async (serial, pair, replace, call) => {
    const port = portIn(pair.local)
    if (port === undefined) return noPort(pair)
    const found = await standing({ kind: 'reverse', serial, pair }, replace, call)
    if (found) return found
    const link = await linkOf(serial, call)
    if (!link.accept) return refusedForward('unsupported', 'an adb server has taken over the device meanwhile')
    const added = await addReverse(link, pair, { clock, replace }, call)
    if (!added.ok) return added
    const sockets = new Set<Socket>()
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      for (const socket of sockets) socket.destroy()
    }
    const one: Held = { kind: 'reverse', serial, pair: added.value, end }
    held = [...held, one]
    void keepReverse(one, port, sockets, link, ended.signal).catch((error: unknown) => {
      note(`${one.pair.remote} of device ${serial} leads nowhere any more: ${messageOf(error)}`)
      forget(one)
    })
    if (over.signal.aborted) forget(one)
    return { ok: true, value: one.pair }
  }

  const remove: HeldForwards['remove'] = async (kind, serial, end, call) => {
    const one = find(kind, serial, end)
    if (!one || one.serial !== serial) return refusedForward('not_found', `${end} is not forwarded`)
    forget(one)
    if (kind === 'reverse') {
      // A device that is away has forgotten it already.
      await linkOf(serial, call)
        .then(link => removeReverse(link, end, clock, call))
        .catch(() => undefined)
    }
    return { ok: true, value: undefined }
  }

  return {
    list: (kind, serial) => held.filter(each => each.kind === kind && each.serial === serial).map(({ pair }) => pair),
    addForward,
    addReverse: addHeldReverse,
    remove,
    count: () => held.length,
    close() {
      over.abort()
      for (const one of held) forget(one)
    },
  }
}

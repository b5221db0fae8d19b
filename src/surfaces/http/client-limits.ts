/** How long a client may take for what, and the one watch over all of them: no request waits for a client without an end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock, Timer } from '../../runtime/clock.ts'

export interface ClientLimits {
  /** Bounds the time to send the headers, in ms, like the other members. */
  headers: number
  /** Bounds the time to send the whole request. */
  request: number
  /** Bounds the rest of a body that was not read, once the answer is out. */
  linger: number
  /** Bounds the time to take a complete answer. */
  take: number
}

export const CLIENT_LIMITS: ClientLimits = { headers: 10_000, request: 30_000, linger: 2_000, take: 60_000 }

const LOOK_MS = 1_000

interface Watched {
  incoming: IncomingMessage
  outgoing: ServerResponse
  waitsFor: 'work' | 'linger' | 'take'
  since: number
}

const waitOf = ({ incoming, outgoing }: Watched): Watched['waitsFor'] | 'nothing' => {
  if (incoming.socket.destroyed) return 'nothing'
  if (!outgoing.writableEnded && !outgoing.destroyed) return 'work'
  if (!outgoing.writableFinished && !outgoing.destroyed) return 'take'
  return incoming.complete ? 'nothing' : 'linger'
}

/** Looks around once a second and not with a timer for each request: nearly all of them are long over by then. */
export const createWatch = (clock: Clock, clientLimits: ClientLimits) => {
  const watched = new Set<Watched>()
  const every = Math.min(LOOK_MS, clientLimits.linger, clientLimits.take)
  let timer: Timer | undefined

  const look = () => {
    const now = clock.elapsed()
    for (const one of watched) {
      const wait = waitOf(one)
      if (wait === 'nothing') watched.delete(one)
      else if (wait !== one.waitsFor) Object.assign(one, { waitsFor: wait, since: now })
      else if (wait !== 'work' && now - one.since >= clientLimits[wait]) one.incoming.socket.destroy()
    }
    timer = watched.size > 0 ? clock.at(clock.now() + every, look, { idle: true }) : undefined
  }

  return {
    add(incoming: IncomingMessage, outgoing: ServerResponse) {
      const one: Watched = { incoming, outgoing, waitsFor: 'work', since: 0 }
      watched.add(one)
      outgoing.on('close', () => {
        if (waitOf(one) === 'nothing') watched.delete(one)
      })
      timer ??= clock.at(clock.now() + every, look, { idle: true })
    },
    /** True when the connection owes or has begun an answer: nothing else may go out on it, and it then closes. */
    isOwed(socket: Socket): boolean {
      const owed = [...watched].filter(({ incoming, outgoing }) => {
        if (incoming.socket !== socket || outgoing.writableFinished) return false
        return incoming.complete || outgoing.headersSent
      })
      for (const { outgoing } of owed) {
        if (!outgoing.shouldKeepAlive) continue
        outgoing.shouldKeepAlive = false
        outgoing.once('close', () => socket.destroySoon())
      }
      return owed.length > 0
    },
    /** The connections on which something is being answered. */
    busy: (): ReadonlySet<Socket> => new Set([...watched].map(({ incoming }) => incoming.socket)),
    /** The answers in the making are the last on their connections; `after` each of them is called. */
    lastAnswers(after: () => void) {
      for (const { outgoing } of watched) {
        outgoing.shouldKeepAlive = false
        outgoing.once('close', after)
      }
    },
    close() {
      timer?.cancel()
      timer = undefined
      watched.clear()
    },
  }
}

/** Admits requests for another protocol: the guard checks them like all others, then the endpoint takes them. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../runtime/clock.ts'
import { refuseSocket } from './answer.ts'
import type { Guard } from './guard.ts'
import { createAdmission } from './request-gate.ts'

/** Something that speaks WebSocket. */
export interface SocketEndpoint {
  path: string
  accept(incoming: IncomingMessage, socket: Socket, head: Buffer): void
  /** Says goodbye to all of its clients. */
  close(): void
}

export interface UpgradeGateOptions {
  endpoint: SocketEndpoint
  server: Server
  guard: Guard | undefined
  clock: Clock
}

const HOP_HEADERS = ['upgrade', 'connection', 'http2-settings']

/**
 * Ignores the offer: clients offer HTTP/2 with any request, and go on in HTTP/1.1. Node has read only the head of the
 * request, so it gets that once more and reads on.
 */
const handBack = (
  server: Server,
  { method, url, rawHeaders, httpVersion }: IncomingMessage,
  socket: Socket,
  rest: Buffer,
) => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!HOP_HEADERS.includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  const head = `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`
  socket.unshift(Buffer.concat([Buffer.from(head, 'latin1'), rest]))
  server.emit('connection', socket)
}

export const createUpgradeGate = ({ endpoint, server, guard, clock }: UpgradeGateOptions) => {
  const admit = createAdmission(guard)
  return (incoming: IncomingMessage, socket: Socket, head: Buffer): void => {
    const [path] = (incoming.url ?? '').split('?')
    const isOurs = path === endpoint.path && incoming.headers.upgrade?.toLowerCase() === 'websocket'
    if (!isOurs) {
      handBack(server, incoming, socket, head)
      return
    }
    const admission = admit(incoming)
    if (admission.kind === 'pass') endpoint.accept(incoming, socket, head)
    else if (admission.kind === 'refused') refuseSocket(socket, admission.error, clock)
    else socket.destroy()
  }
}

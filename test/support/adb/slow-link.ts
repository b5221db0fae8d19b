/** A TCP proxy that lets bytes through late, in their order, as a bad network does. */
import { createServer, type Socket, connect as tcpConnect } from 'node:net'
import { Transform } from 'node:stream'
import { wait } from '../until.ts'

export interface SlowLink {
  port: number
  /** From now on each piece takes so long; 0 is at once. */
  slow(byMs: number): void
  close(): Promise<void>
}

/** `onSent` hears what the near side sends. */
export const slowLink = async (target: number, onSent: (bytes: Buffer) => void = () => {}): Promise<SlowLink> => {
  const sockets = new Set<Socket>()
  let delayMs = 0

  const late = () =>
    new Transform({
      transform: (bytes, _, done) => {
        if (delayMs === 0) done(null, bytes)
        else void wait(delayMs).then(() => done(null, bytes))
      },
    })
  const join = (near: Socket) => {
    const far = tcpConnect({ port: target, host: '127.0.0.1', noDelay: true })
    const end = () => {
      for (const socket of [near, far]) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    near.on('data', onSent)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', end)
      from.on('close', end)
      from.pipe(late()).pipe(to)
    }
  }

  const server = createServer({ noDelay: true }, join)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    slow(byMs) {
      delayMs = byMs
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

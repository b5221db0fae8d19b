/** A TCP proxy that tests cut: silently, as a pulled cable does, or loudly, as a dying process does. */
import { createServer, type Socket, connect as tcpConnect } from 'node:net'

export type Cut = 'silent' | 'loud'

export interface TcpLink {
  port: number
  /** Silent: nothing passes, nobody is told. Loud: connections break, and new ones are refused. */
  cut(kind?: Cut): void
  /** A silent cut as soon as the near side has sent bytes that hold the text. */
  cutAt(text: string): void
  isCut(): boolean
  /** What waited on a silent cut passes now. */
  heal(): void
  close(): Promise<void>
}

interface Pair {
  near: Socket
  /** Missing while a silent cut keeps a new connection waiting. */
  far?: Socket
}

/** `at` is the address it listens on, `host` the one of the target. */
export const tcpLink = async (target: number, at = '127.0.0.1', host = '127.0.0.1'): Promise<TcpLink> => {
  const pairs = new Set<Pair>()
  let state: 'whole' | Cut = 'whole'
  let awaited: string | undefined

  const end = (pair: Pair) => {
    pairs.delete(pair)
    pair.near.destroy()
    pair.far?.destroy()
  }
  const join = (pair: Pair) => {
    const far = tcpConnect({ port: target, host, noDelay: true })
    pair.far = far
    pair.near.on('data', (bytes: Buffer) => {
      if (awaited !== undefined && bytes.includes(awaited)) cut()
    })
    for (const [from, to] of [
      [pair.near, far],
      [far, pair.near],
    ] as const) {
      from.on('error', () => end(pair))
      from.on('close', () => end(pair))
      from.pipe(to)
    }
  }

  const cut = (kind: Cut = 'silent') => {
    state = kind
    awaited = undefined
    for (const pair of [...pairs]) {
      if (kind === 'loud') {
        end(pair)
        continue
      }
      // An unpiped socket that is paused reads nothing: neither data nor the end of the other side.
      for (const socket of [pair.near, pair.far]) socket?.unpipe().pause()
    }
  }

  const server = createServer({ noDelay: true }, near => {
    if (state === 'loud') {
      near.resetAndDestroy()
      return
    }
    const pair: Pair = { near }
    pairs.add(pair)
    near.on('error', () => end(pair))
    if (state === 'whole') join(pair)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, at, resolve)
  })

  return {
    port: (server.address() as { port: number }).port,
    cut,
    cutAt(text) {
      awaited = text
    },
    isCut: () => state !== 'whole',
    heal() {
      // A pipe beside the one that is there would send every byte twice.
      if (state === 'whole') return
      state = 'whole'
      for (const pair of pairs) {
        if (!pair.far) join(pair)
        else {
          pair.near.pipe(pair.far)
          pair.far.pipe(pair.near)
        }
      }
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const pair of [...pairs]) end(pair)
      }),
  }
}

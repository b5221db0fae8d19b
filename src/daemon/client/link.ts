/** One connection to a daemon's socket: requests one after the other, each with an end, none sent twice. */
import { connect } from 'node:net'
import type { Clock } from '../../runtime/clock.ts'
import { type Answer, createReader, type Reader } from './response.ts'

export type Exchanged =
  | { kind: 'answered'; answer: Answer }
  /** There was no connection, so nothing was sent. `code` is the system's. */
  | { kind: 'unconnected'; code: string; message: string }
  /** The connection ended, or made no sense, before the answer was complete. */
  | { kind: 'lost'; message: string; headers: Answer['headers'] }
  | { kind: 'late' }
  | { kind: 'interrupted' }

export interface ExchangeOptions {
  /** How long the answer may take. */
  ms: number
  signal?: AbortSignal | undefined
}

export interface Link {
  /** Whether what is written now can still reach the daemon. */
  isOpen(): boolean
  /** One at a time. */
  exchange(request: string | Buffer, options: ExchangeOptions): Promise<Exchanged>
  close(): void
  /** Leaves the closing to the daemon, whose last answer this was: ending a socket costs a millisecond. */
  leave(): void
}

type Wait = { reader: Reader; settle: (exchanged: Exchanged) => void }

export const openLink = (path: string, clock: Clock): Link => {
  const socket = connect(path)
  let isConnected = false
  let failure: { code: string; message: string } | undefined
  let wait: Wait | undefined

  const broken = (): Exchanged => {
    const { code = '', message = 'the connection was closed' } = failure ?? {}
    if (!isConnected) return { kind: 'unconnected', code, message }
    return { kind: 'lost', message, headers: wait?.reader.head()?.headers ?? {} }
  }
  const settle = (exchanged: Exchanged) => wait?.settle(exchanged)
  const answered = ({ reader }: Wait) => {
    const answer = reader.answer()
    if (answer) settle({ kind: 'answered', answer })
  }

  socket.on('connect', () => {
    isConnected = true
  })
  socket.on('data', chunk => {
    if (!wait) return void socket.destroy()
    const fed = wait.reader.feed(chunk)
    if (fed === 'complete') answered(wait)
    else if (fed === 'broken') {
      failure = { code: '', message: 'the answer is no HTTP response' }
      settle(broken())
    }
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = { code: error.code ?? '', message: error.message }
  })
  socket.on('close', () => {
    if (wait && !failure && wait.reader.end() === 'complete') answered(wait)
    else settle(broken())
  })

  return {
    isOpen: () => isConnected && !socket.destroyed && socket.writable && !socket.readableEnded,
    exchange: (request, { ms, signal }) =>
      new Promise(resolve => {
        if (socket.destroyed) return resolve(broken())
        const interrupt = () => settle({ kind: 'interrupted' })
        const timer = clock.at(clock.now() + ms, () => settle({ kind: 'late' }))
        wait = {
          reader: createReader(),
          settle: exchanged => {
            wait = undefined
            timer.cancel()
            signal?.removeEventListener('abort', interrupt)
            if (exchanged.kind !== 'answered') socket.destroy()
            resolve(exchanged)
          },
        }
        signal?.addEventListener('abort', interrupt, { once: true })
        if (signal?.aborted) return interrupt()
        socket.write(request)
      }),
    close: () => void socket.destroy(),
    leave: () => void socket.unref(),
  }
}

/** A link without a device: a test says what each command answers, and when the link is lost. */
import { chunksOf } from '../../../src/device/link/buffers.ts'
import {
  type CallOptions,
  type Content,
  type Link,
  LinkError,
  type LinkSocket,
  type ShellResult,
} from '../../../src/device/link/link.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { type ByteQueue, byteQueue } from './byte-queue.ts'

export interface FakeHandlers {
  shell?: (command: string) => Promise<ShellResult> | ShellResult
  exec?: (command: string) => Promise<Uint8Array> | Uint8Array
  /** Fills the queue with what the command prints, as long as it runs. */
  stream?: (command: string, output: ByteQueue) => Promise<void> | void
  push?: (path: string, content: Uint8Array) => Promise<void> | void
  /** Gets what the host writes, and answers through the queue. Throws to refuse. */
  socket?: (service: string, output: ByteQueue) => (bytes: Uint8Array) => Promise<void> | void
}

export interface FakeLink extends Link {
  /** Every call in order: `shell <command>`, `stream <command>`, ... */
  readonly calls: string[]
  readonly streams: ByteQueue[]
  readonly sockets: ByteQueue[]
  lose(): void
}

const wholeOf = async (content: Content): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(content)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const shellOk = (stdout = ''): ShellResult => ({ exitCode: 0, stdout, stderr: '' })

export const fakeLink = (clock: Clock, handlers: FakeHandlers = {}, serial = 'd1'): FakeLink => {
  const calls: string[] = []
  const streams: ByteQueue[] = []
  const sockets: ByteQueue[] = []
  const gone = new AbortController()

  /** As a real call: ended by its answer, its deadline, its caller, or the loss of the link. */
  const call = <T>(what: string, { deadline, signal }: CallOptions, work: () => Promise<T> | T): Promise<T> => {
    calls.push(what)
    return new Promise((resolve, reject) => {
      const over = new AbortController()
      const fail = (code: 'LINK_TIMEOUT' | 'LINK_CANCELLED') => reject(new LinkError(code, `${what}: ${code}`))
      if (gone.signal.aborted) return reject(gone.signal.reason)
      if (signal?.aborted) return fail('LINK_CANCELLED')
      if (deadline <= clock.now()) return fail('LINK_TIMEOUT')
      const timer = clock.at(deadline, () => fail('LINK_TIMEOUT'))
      gone.signal.addEventListener('abort', () => reject(gone.signal.reason), { signal: over.signal })
      signal?.addEventListener('abort', () => fail('LINK_CANCELLED'), { signal: over.signal })
      Promise.resolve()
        .then(work)
        .then(resolve, reject)
        .finally(() => {
          timer.cancel()
          over.abort()
        })
    })
  }

  const open = async (what: string, queues: ByteQueue[], options: CallOptions, start: (output: ByteQueue) => void) =>
    call(what, options, () => {
      const output = byteQueue()
      start(output)
      queues.push(output)
      return output
    })

  return {
    serial,
    calls,
    streams,
    sockets,
    lost: gone.signal,
    shell: (command, options) =>
      call(
        `shell ${command}`,
        options,
        () => handlers.shell?.(command) ?? { exitCode: 127, stdout: '', stderr: 'not found' },
      ),
    exec: (command, options) => call(`exec ${command}`, options, () => handlers.exec?.(command) ?? new Uint8Array()),
    async stream(command, options) {
      const output = await open(`stream ${command}`, streams, options, queue => void handlers.stream?.(command, queue))
      return { chunks: output.chunks, close: () => output.end() }
    },
    push: (path, content, options) =>
      call(`push ${path}`, options, async () => handlers.push?.(path, await wholeOf(content))),
    pull: (path, options) => call(`pull ${path}`, options, () => new Uint8Array()),
    async *read(path, options) {
      yield await call(`read ${path}`, options, () => new Uint8Array())
    },
    async *output(command, options) {
      yield await call(`output ${command}`, options, () => handlers.exec?.(command) ?? new Uint8Array())
    },
    async socket(service, options): Promise<LinkSocket> {
      let take: (bytes: Uint8Array) => Promise<void> | void = () => {}
      const output = await open(`socket ${service}`, sockets, options, queue => {
        if (!handlers.socket) throw new LinkError('LINK_SOCKET_REFUSED', `nobody listens on ${service}`)
        take = handlers.socket(service, queue)
      })
      return {
        chunks: output.chunks,
        write: async bytes => {
          if (output.isEnded()) throw new LinkError('LINK_SOCKET_REFUSED', `${service} was closed by the device`)
          await take(bytes)
        },
        close: () => output.end(),
      }
    },
    hardwareSerial: async () => serial,
    lose() {
      if (gone.signal.aborted) return
      const error = new LinkError('DEVICE_LINK_LOST', `the link to ${serial} is lost`)
      gone.abort(error)
      for (const queue of [...streams, ...sockets]) queue.end(error)
    },
  }
}

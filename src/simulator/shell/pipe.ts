/** A bounded queue of bytes between one writer and one reader. */
import { type Input, type Output, StreamEnded } from './io.ts'

export interface Pipe extends Input {
  write: Output
  /** No more will be written. */
  end(): void
  /** Nobody reads any more: what is queued is dropped, writers are told. */
  cancel(): void
}

export const PIPE_BYTES = 64 * 1_024

export const createPipe = (bound = PIPE_BYTES): Pipe => {
  let queue: Uint8Array[] = []
  let size = 0
  let state: 'open' | 'ended' | 'cancelled' = 'open'
  let reader: (() => void) | undefined
  let writers: { resolve: () => void; reject: (error: Error) => void }[] = []

  const wakeReader = () => {
    reader?.()
    reader = undefined
  }
  const releaseWriters = () => {
    const waiting = writers
    writers = []
    for (const { resolve, reject } of waiting) {
      if (state === 'cancelled') reject(new StreamEnded())
      else resolve()
    }
  }

  return {
    write(bytes) {
      if (state !== 'open') return Promise.reject(new StreamEnded())
      if (bytes.length > 0) {
        queue.push(bytes)
        size += bytes.length
        wakeReader()
      }
      return size <= bound
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            writers.push({ resolve, reject })
          })
    },
    async read() {
      while (queue.length === 0 && state === 'open') {
        await new Promise<void>(resolve => {
          reader = resolve
        })
      }
      const chunk = queue.shift()
      size -= chunk?.length ?? 0
      if (size <= bound) releaseWriters()
      return chunk
    },
    end() {
      if (state !== 'open') return
      state = 'ended'
      wakeReader()
    },
    cancel() {
      if (state === 'cancelled') return
      state = 'cancelled'
      queue = []
      size = 0
      wakeReader()
      releaseWriters()
    },
  }
}

/** Defines the streams into and out of a command: bytes, with back-pressure both ways. */

/** Resolves when there is room for more; rejects with StreamEnded when nobody reads any more. */
export type Output = (bytes: Uint8Array) => Promise<void>

export interface Input {
  /** The next bytes; undefined at the end. */
  read(): Promise<Uint8Array | undefined>
  /** The next line with its end, for inputs that can be read line by line; undefined at the end. */
  line?(): Promise<string | undefined>
}

export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
  /** Aborted when the caller has gone: whatever runs ends. */
  signal: AbortSignal
  /** Set when the command line has ended: its jobs then run on without it. */
  line?: { isOver: boolean }
  /** Aborted when the line is killed, whatever it ignores. */
  killed?: AbortSignal
  /** The loop rounds that a command line has left; left out, they are not counted. */
  rounds?: { left: number }
}

/** The other side has gone. No failure of the command, which simply ends. */
export class StreamEnded extends Error {
  constructor() {
    super('the stream has ended')
    this.name = 'StreamEnded'
  }
}

export const exactReader = (input: Input) => {
  let held: Uint8Array = new Uint8Array()
  return {
    /** Rejects with StreamEnded when the input ends before. */
    async exactly(count: number): Promise<Buffer> {
      const parts: Uint8Array[] = []
      let missing = count
      for (;;) {
        const part = held.subarray(0, missing)
        held = held.subarray(part.length)
        missing -= part.length
        parts.push(part)
        if (missing === 0) return Buffer.concat(parts, count)
        const chunk = await input.read()
        if (!chunk) throw new StreamEnded()
        held = chunk
      }
    },
  }
}

export type ExactReader = ReturnType<typeof exactReader>

export const discard: Output = async () => {}

export const emptyInput: Input = { read: async () => undefined }

export const bytesInput = (bytes: Uint8Array): Input => {
  let left: Uint8Array | undefined = bytes
  return {
    read: async () => {
      const chunk = left?.length ? left : undefined
      left = undefined
      return chunk
    },
  }
}

/** Everything up to the end; StreamEnded when it is more than the bound. */
export const readAll = async (input: Input, bound: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await input.read(); chunk; chunk = await input.read()) {
    size += chunk.length
    if (size > bound) throw new StreamEnded()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A line longer than this is taken as it is. */
export const LINE_BYTES_MAX = 1_024 * 1_024
const NEWLINE = 0x0a

export interface LineInput extends Input {
  line(): Promise<string | undefined>
}

/** The same input line by line; what follows the line is left for the commands. */
export const lineInput = (source: Input): LineInput => {
  let held = Buffer.alloc(0)
  const read = async () => {
    if (held.length === 0) return source.read()
    const chunk = held
    held = Buffer.alloc(0)
    return chunk
  }
  return {
    read,
    async line() {
      let from = 0
      for (;;) {
        const end = held.indexOf(NEWLINE, from)
        const stop = end >= 0 ? end + 1 : held.length > LINE_BYTES_MAX ? held.length : 0
        if (stop > 0) {
          const line = held.toString('utf8', 0, stop)
          held = held.subarray(stop)
          return line
        }
        from = held.length
        const more = await source.read()
        if (more) held = Buffer.concat([held, more])
        else if (held.length === 0) return undefined
        else return (await read())?.toString()
      }
    },
  }
}

/** The input itself where it already can. */
export const lined = (input: Input): Input => (input.line ? input : lineInput(input))

export interface Pipe extends Input {
  write: Output
  /** No more will be written. */
  end(): void
  /** Nobody reads any more: what is queued is dropped, writers are told. */
  cancel(): void
}

const PIPE_BYTES = 64 * 1_024

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

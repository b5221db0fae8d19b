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

export interface ExactReader {
  /** Rejects with StreamEnded when the input ends before. */
  exactly(count: number): Promise<Buffer>
}

export const exactReader = (input: Input): ExactReader => {
  let held: Uint8Array = new Uint8Array()
  return {
    async exactly(count) {
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

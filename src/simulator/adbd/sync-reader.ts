/** Reads exact numbers of bytes from a stream that comes in pieces. */
import { type Input, StreamEnded } from '../shell/io.ts'

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

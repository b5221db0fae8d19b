/** Reads a stream of the device by its delimiters and lengths, and no more of it than a bound. */
import { PageProblem } from './page-problem.ts'

export interface ByteReader {
  exactly(bytes: number): Promise<Buffer>
  /** The bytes before the delimiter, which is read too. More than `mostBytes` before it are refused. */
  until(delimiter: string, mostBytes: number): Promise<Buffer>
  toEnd(): Promise<Buffer>
}

const FIRST_BYTES = 4 * 1_024

const inWords = (bytes: number) =>
  bytes < 1_024 * 1_024 ? `${Math.round(bytes / 1_024)} KiB` : `${Math.round(bytes / 1_024 / 1_024)} MiB`
const tooMany = (bytes: number) => new PageProblem(`it sends more than ${inWords(bytes)}`)

/**
 * `bytesMax` is for all that is read from the stream. The bytes are copied into one buffer and out of it: pieces of a
 * single byte would otherwise hold the packets that they came in.
 */
export const byteReader = (chunks: AsyncIterable<Uint8Array>, bytesMax: number): ByteReader => {
  const source = chunks[Symbol.asyncIterator]()
  let held = Buffer.alloc(FIRST_BYTES)
  let start = 0
  let end = 0
  let total = 0

  const makeRoom = (bytes: number): void => {
    if (end + bytes <= held.length) return
    const needed = end - start + bytes
    const roomy = needed * 2 <= held.length ? held : Buffer.alloc(needed * 2)
    held.copy(roomy, 0, start, end)
    held = roomy
    end -= start
    start = 0
  }
  const more = async (): Promise<boolean> => {
    const { done, value } = await source.next()
    if (done) return false
    total += value.length
    if (total > bytesMax) throw tooMany(bytesMax)
    makeRoom(value.length)
    held.set(value, end)
    end += value.length
    return true
  }
  const take = (bytes: number, skipped = 0): Buffer => {
    const taken = Buffer.from(held.subarray(start, start + bytes))
    start += bytes + skipped
    return taken
  }
  const ended = () => new PageProblem('it closed the connection')

  return {
    async exactly(bytes) {
      if (bytes > bytesMax) throw tooMany(bytesMax)
      while (end - start < bytes) if (!(await more())) throw ended()
      return take(bytes)
    },
    async until(delimiter, mostBytes) {
      for (let from = 0; ; ) {
        const at = held.subarray(start, end).indexOf(delimiter, from)
        if (at >= 0 && at <= mostBytes) return take(at, delimiter.length)
        if (end - start > mostBytes) throw tooMany(mostBytes)
        from = Math.max(0, end - start - delimiter.length + 1)
        if (!(await more())) throw ended()
      }
    },
    async toEnd() {
      while (await more());
      return take(end - start)
    },
  }
}

/** Reads a stream of the device by its delimiters and lengths, and no more of it than a bound. */
import { PageProblem } from './page-problem.ts'

export interface ByteReader {
  exactly(bytes: number): Promise<Buffer>
  /** The bytes before the delimiter, which is read too. */
  until(delimiter: string): Promise<Buffer>
  toEnd(): Promise<Buffer>
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_024 / 1_024)} MiB`

/** `bytesMax` is for all that is read from the stream. */
export const byteReader = (chunks: AsyncIterable<Uint8Array>, bytesMax: number): ByteReader => {
  const source = chunks[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let size = 0
  let total = 0

  const more = async (): Promise<boolean> => {
    const { done, value } = await source.next()
    if (done) return false
    total += value.length
    if (total > bytesMax) throw new PageProblem(`it sends more than ${megabytes(bytesMax)}`)
    held.push(Buffer.from(value.buffer, value.byteOffset, value.length))
    size += value.length
    return true
  }
  const joined = (): Buffer => {
    const [first] = held
    const all = held.length === 1 && first ? first : Buffer.concat(held)
    held = [all]
    return all
  }
  const take = (bytes: number, skipped = 0): Buffer => {
    const all = joined()
    held = [all.subarray(bytes + skipped)]
    size -= bytes + skipped
    return all.subarray(0, bytes)
  }
  const ended = () => new PageProblem('it closed the connection')

  return {
    async exactly(bytes) {
      if (bytes > bytesMax) throw new PageProblem(`it sends more than ${megabytes(bytesMax)}`)
      while (size < bytes) if (!(await more())) throw ended()
      return take(bytes)
    },
    async until(delimiter) {
      for (let from = 0; ; ) {
        const at = joined().indexOf(delimiter, from)
        if (at >= 0) return take(at, delimiter.length)
        from = Math.max(0, size - delimiter.length + 1)
        if (!(await more())) throw ended()
      }
    },
    async toEnd() {
      while (await more());
      return take(size)
    },
  }
}

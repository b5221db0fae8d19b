/** An input that is read line by line, and in between as it comes. */
import type { Input } from './io.ts'

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

/** `head` and `tail`. */
import type { Flags } from '../flags.ts'
import { eachContent, eachSource, withFlags } from '../sources.ts'

const DEFAULT_LINES = '10'
const NEWLINE = 0x0a

/** The index at which the first `lines` lines end. */
const endOfLines = (content: Buffer, lines: number): number => {
  let end = 0
  for (let left = lines; left > 0 && end < content.length; left--)
    end = content.indexOf(NEWLINE, end) + 1 || content.length
  return end
}

const wanted = (flags: Flags) => ({
  bytes: flags.value('c'),
  lines: flags.value('n') ?? DEFAULT_LINES,
})

/** Stops reading once it has enough, so that it ends a stream that would run on. */
export const head = withFlags({ on: 'qv', valued: 'cn' }, (context, flags) =>
  eachSource(context, flags.rest, async source => {
    const { bytes, lines } = wanted(flags)
    let held = Buffer.alloc(0)
    for (;;) {
      const end = bytes === undefined ? endOfLines(held, Number(lines)) : Number(bytes)
      const enough = bytes === undefined ? Number(lines) === 0 || (end > 0 && end < held.length) : held.length >= end
      const chunk = enough ? undefined : await source.read()
      if (!chunk) return context.out(held.subarray(0, end))
      held = Buffer.concat([held, chunk])
    }
  }),
)

export const tail = withFlags({ on: 'qv', valued: 'cn' }, (context, flags) =>
  eachContent(context, flags.rest, async content => {
    const { bytes, lines } = wanted(flags)
    if (bytes !== undefined) {
      const start = bytes.startsWith('+') ? Number(bytes) - 1 : content.length - Number(bytes)
      return context.out(content.subarray(Math.max(0, start)))
    }
    if (lines.startsWith('+')) return context.out(content.subarray(endOfLines(content, Number(lines) - 1)))
    let total = 0
    for (let at = 0; at < content.length; at = content.indexOf(NEWLINE, at) + 1 || content.length) total++
    return context.out(content.subarray(endOfLines(content, Math.max(0, total - Number(lines)))))
  }),
)

/** `logcat` and `log`: reads the phone's log as it is and as it comes, and writes to it. */
import { entryBytes, LOG_RING_BYTES } from '../../log.ts'
import type { LogEntry, LogLevel, PhoneLog } from '../../phone-parts.ts'
import { type Command, fail, USAGE_CODE } from '../command.ts'
import { binaryEntry, formatEntry, LogcatUsage } from '../logcat-formats.ts'
import { type LogcatOptions, readLogcatOptions } from '../logcat-options.ts'

const followLog = (log: PhoneLog, wants: (entry: LogEntry) => boolean, bytes = LOG_RING_BYTES) => {
  let entries: LogEntry[] = []
  let used = 0
  let lost = 0
  let closed = false
  let wake: (() => void) | undefined

  const follower = log.follow(entry => {
    if (!wants(entry)) return
    entries.push(entry)
    used += entryBytes(entry)
    while (used > bytes && entries.length > 1) {
      const oldest = entries.shift()
      if (oldest) used -= entryBytes(oldest)
      lost++
    }
    wake?.()
  })

  return {
    /** All that has come since the last call, as soon as there is something; undefined once closed. */
    async take() {
      while (entries.length === 0 && !closed) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      if (closed) return undefined
      const batch = { lost, entries }
      entries = []
      used = 0
      lost = 0
      return batch
    },
    close() {
      if (closed) return
      closed = true
      follower.close()
      entries = []
      wake?.()
    },
  }
}

/** Counts entries before the filters, as a phone does. */
const earlier = (log: PhoneLog, { start, buffers, wants }: LogcatOptions): LogEntry[] => {
  const all = log.entries().filter(({ buffer }) => buffers.has(buffer))
  const chosen =
    start === undefined
      ? all
      : 'last' in start
        ? all.slice(Math.max(0, all.length - start.last))
        : all.filter(({ at }) => at >= start.since)
  return chosen.filter(wants)
}

const sizes = async (options: LogcatOptions, out: (text: string) => Promise<number>): Promise<number> => {
  const kib = LOG_RING_BYTES / 1_024
  for (const name of options.buffers)
    await out(`${name}: ring buffer is ${kib} KiB, max entry is 5120 B, max payload is 4068 B\n`)
  return 0
}

/** Prints the entries as text, with a line where a buffer is entered first. */
const textOf = ({ buffers, style }: LogcatOptions) => {
  const begun = new Set<string>()
  return (entries: readonly LogEntry[]): string =>
    entries
      .map(entry => {
        const isFirst = buffers.size > 1 && !begun.has(entry.buffer)
        begun.add(entry.buffer)
        return `${isFirst ? `--------- beginning of ${entry.buffer}\n` : ''}${formatEntry(entry, style)}`
      })
      .join('')
}

const read: Command = async context => {
  const { phone, signal, out } = context
  const options = readLogcatOptions(context.args, {
    tags: context.scope.variables.get('ANDROID_LOG_TAGS'),
    now: context.clock.now(),
    sdk: Number(context.properties.get('ro.build.version.sdk')),
  })
  const { buffers, isBinary } = options
  if (options.clear) {
    phone.log.clear(buffers)
    return 0
  }
  if (options.sizes) return sizes(options, out)

  let left = options.most
  const asText = textOf(options)
  const print = async (entries: readonly LogEntry[], lost: number) => {
    const printed = entries.slice(0, left)
    left -= printed.length
    const gap = lost === 0 || isBinary ? '' : `--------- ${lost} entries lost: the reader was too slow\n`
    if (gap !== '' || printed.length > 0)
      await out(isBinary ? Buffer.concat(printed.map(binaryEntry)) : gap + asText(printed))
  }

  // Following begins before the past is read, so that nothing falls between the two.
  const isWanted = (entry: LogEntry) => buffers.has(entry.buffer) && options.wants(entry)
  const queue = options.stay ? followLog(phone.log, isWanted) : undefined
  const close = () => queue?.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  try {
    await print(earlier(phone.log, options), 0)
    while (left > 0) {
      const batch = await queue?.take()
      if (!batch) break
      if (isBinary && batch.lost > 0) return fail(context, 'logcat: Unexpected EOF!')
      await print(batch.entries, batch.lost)
    }
    return 0
  } finally {
    close()
    signal.removeEventListener('abort', close)
  }
}

export const logcat: Command = async context => {
  try {
    return await read(context)
  } catch (error) {
    if (!(error instanceof LogcatUsage)) throw error
    return fail(context, `logcat: ${error.message}`)
  }
}

const LEVELS: readonly LogLevel[] = ['V', 'D', 'I', 'W', 'E', 'F']

export const log: Command = context => {
  const words = [...context.args]
  let level: LogLevel | undefined = 'I'
  let tag = 'log'
  while (/^-[pt]$/.test(words[0] ?? '')) {
    const [option, value = ''] = words.splice(0, 2)
    if (option === '-t') tag = value
    else level = LEVELS.find(known => known === value.toUpperCase())
  }
  if (level === undefined || words.length === 0)
    return fail(context, 'usage: log [-p PRIORITY] [-t TAG] MESSAGE...', USAGE_CODE)
  context.phone.log.write(level, tag, words.join(' '))
  return 0
}

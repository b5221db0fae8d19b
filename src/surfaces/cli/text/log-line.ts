/** A line of the log of a device for people: `11-26 03:03:17.607 W Example (com.example): two`. */
import type { LogLevelName, LogLine } from '../../../contracts/device/logs.ts'
import type { LocalOffset } from './times.ts'
import { visible, visibleLines } from './visible.ts'

/** The letter says the same. */
const COLOURS: Partial<Record<LogLevelName, string>> = {
  verbose: '2',
  debug: '2',
  warn: '33',
  error: '31',
  fatal: '1;31',
}

const MINUTE_MS = 60_000
const MONTH_TO_MS = ['yyyy-'.length, 'yyyy-mm-ddThh:mm:ss.mmm'.length] as const

interface LogTextOptions {
  hasColours: boolean
  offset: LocalOffset
}

/** Further lines of a message are indented below the first. */
export const logLineText = (line: LogLine, { hasColours, offset }: LogTextOptions): string => {
  const { time, level, tag, message, applicationId } = line
  const at = Date.parse(time)
  const local = new Date(at + offset(at) * MINUTE_MS)
    .toISOString()
    .slice(...MONTH_TO_MS)
    .replace('T', ' ')
  const by = applicationId === undefined ? '' : ` (${visible(applicationId)})`
  const [first = '', ...more] = visibleLines(message).split('\n')
  const head = `${local} ${(level[0] ?? '').toUpperCase()} ${visible(tag)}${by}: ${first}`
  const text = [head, ...more.map(each => `    ${each}`)].join('\n')
  const colour = hasColours ? COLOURS[level] : undefined
  return colour === undefined ? text : `\x1b[${colour}m${text}\x1b[0m`
}

/** Reads what the operator has written to the device log: as it comes, and once more from a time in the past. */
import type { CallOptions, Link } from '../../adb/link.ts'
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import { commandLine } from '../../adb/quote.ts'
import { LOG_TAG } from '../../contracts/operator.ts'
import { ageMs, type Clock, type Moment } from '../../runtime/clock.ts'

const FORM = ['-b', 'main', '-v', 'raw'] as const
const FILTER = [`${LOG_TAG}:I`, '*:S'] as const

export const FOLLOW_LOG = commandLine('logcat', ...FORM, '-T', '1', ...FILTER)
export const DEVICE_TIME = commandLine('date', '+%s')

/** Both clocks are read to the second, and a device may set its own in between. */
const SLACK_MS = 3_000

/**
 * The moment `since` of the host on the clock of the device, in the form that `logcat -T` takes and that does not depend on the
 * device's time zone. Asked when it is needed: it costs an ordinary execution nothing, and is right after a restart too.
 */
const deviceTimeOf = async (link: Link, clock: Clock, since: Moment, options: CallOptions) => {
  const { exitCode, stdout } = await link.shell(DEVICE_TIME, { ...options, maxBytes: OUTPUT_BYTES_MAX.word })
  const seconds = /^\s*(\d{1,12})\s*$/.exec(stdout)?.[1]
  if (exitCode !== 0 || seconds === undefined) return undefined
  const at = Number(seconds) * 1_000 - ageMs(clock, since) - SLACK_MS
  return `${Math.max(0, Math.floor(at / 1_000))}.000`
}

/** All there is in the log since then; the whole log when the device cannot tell the time. */
export const readBack = async (link: Link, clock: Clock, since: Moment, options: CallOptions): Promise<Uint8Array> => {
  const time = await deviceTimeOf(link, clock, since, options)
  const from = time === undefined ? [] : ['-T', time]
  const command = commandLine('logcat', '-d', ...FORM, ...from, ...FILTER)
  return link.exec(command, { ...options, maxBytes: OUTPUT_BYTES_MAX.raw })
}

/** Reads one `logcat` of the device as fast as it writes: a slow reader costs a bounded queue and never holds it up. */

import type { LogPosition, LogStart } from '../../contracts/device/logs.ts'
import { LOG_QUEUE_BYTES } from '../../contracts/limits/log-limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'

const LOGCAT = ['logcat', '-B', '-b', 'main', '-b', 'system', '-b', 'crash'] as const

/** The packages with their users, and the processes. */
export const APPS_COMMAND = 'pm list packages -U --user $(am get-current-user); ps -A -o PID,NAME'
const HEAD_COMMAND = `cat /proc/sys/kernel/random/boot_id; date +%s.%N; ${APPS_COMMAND}`

const BOOT_CHARS = 8
const NSEC_DIGITS = 9
const MS_PER_SECOND = 1_000
const NANOS_PER_MS = 1_000_000
const UNKNOWN_BOOT = '0'

/** The device's words about itself before its log is read. */
export interface LogHead {
  boot: string
  /** Undefined where it does not tell the time. */
  now: { sec: number; nsec: number } | undefined
  /** The rest: packages and processes. */
  apps: string
}

export const askHead = async (link: Link, call: CallOptions): Promise<LogHead> => {
  const { stdout } = await link.shell(HEAD_COMMAND, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
  const boot = /^([0-9a-f]{8})-[0-9a-f-]{27}\s/.exec(stdout)?.[1]
  const [, sec, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,9}))?\D*$/m.exec(stdout) ?? []
  const now = sec === undefined ? undefined : { sec: Number(sec), nsec: Number(fraction.padEnd(NSEC_DIGITS, '0')) }
  return { boot: boot?.slice(0, BOOT_CHARS) ?? UNKNOWN_BOOT, now, apps: stdout }
}

const atMs = (boot: string, ms: number): LogPosition => {
  const whole = Math.max(0, ms)
  const sec = Math.floor(whole / MS_PER_SECOND)
  return { boot, sec, nsec: Math.floor((whole % MS_PER_SECOND) * NANOS_PER_MS), tid: 0, nth: 0 }
}

/** The place before the first line that is wanted, by the clock of the device. */
export const placeOf = (start: LogStart | undefined, { boot, now }: LogHead): LogPosition => {
  const nowMs = now === undefined ? 0 : now.sec * MS_PER_SECOND + now.nsec / NANOS_PER_MS
  if (start === undefined) return { boot, ...(now ?? { sec: 0, nsec: 0 }), tid: 0, nth: 0 }
  if (start.kind === 'boot') return atMs(boot, 0)
  return atMs(boot, start.kind === 'at' ? start.ms : nowMs - start.ms)
}

export const isSameBoot = (one: string, other: string): boolean =>
  one === other || one === UNKNOWN_BOOT || other === UNKNOWN_BOOT

/** The time is taken to the millisecond, and what has exactly that time is included. */
const from = ({ sec, nsec }: LogPosition): string[] =>
  sec === 0 && nsec === 0 ? [] : ['-T', `${sec}.${String(Math.floor(nsec / NANOS_PER_MS)).padStart(3, '0')}`]

/** `behind`: it was ended here, for its reader is too slow. */
export type SourceEnd = { kind: 'ended' } | { kind: 'behind' } | { kind: 'lost'; error: unknown }
export type Taken = { kind: 'chunk'; chunk: Uint8Array } | { kind: 'idle' } | SourceEnd

export interface LogSource {
  /** The next bytes; `idle` when none have come within so many ms. */
  take(withinMs?: number): Promise<Taken>
  close(): void
}

interface SourceOptions {
  clock: Clock
  at: LogPosition
  /** Stays, and waits for what will be logged. */
  isFollowing: boolean
}

export const openSource = async (
  link: Link,
  { clock, at, isFollowing }: SourceOptions,
  call: CallOptions,
): Promise<LogSource> => {
  const stream = await link.stream(commandLine(...LOGCAT, ...(isFollowing ? [] : ['-d']), ...from(at)), call)
  const queue: Uint8Array[] = []
  let bytes = 0
  let end: SourceEnd | undefined
  let wake = () => {}

  const pump = async () => {
    try {
      for await (const chunk of stream.chunks) {
        queue.push(chunk)
        bytes += chunk.length
        wake()
        if (bytes <= LOG_QUEUE_BYTES) continue
        end = { kind: 'behind' }
        break
      }
      end ??= { kind: 'ended' }
    } catch (error) {
      end = { kind: 'lost', error }
    }
    stream.close()
    wake()
  }
  void pump()

  const next = (): Taken | undefined => {
    const chunk = queue.shift()
    if (chunk === undefined) return end
    bytes -= chunk.length
    return { kind: 'chunk', chunk }
  }

  return {
    async take(withinMs) {
      const ready = next()
      if (ready) return ready
      const woken = new Promise<void>(resolve => {
        wake = resolve
      })
      if (withinMs === undefined) await woken
      else {
        const over = new AbortController()
        await Promise.race([woken, pause(clock, withinMs, over.signal)])
        over.abort()
      }
      wake = () => {}
      return next() ?? { kind: 'idle' }
    },
    close() {
      end ??= { kind: 'ended' }
      queue.length = 0
      stream.close()
      wake()
    },
  }
}

/** Knows which application writes a line of the log: by the user it runs as, and by its process where several share a user. */
import { type LogRecord, SYSTEM_BUFFER } from './log-records.ts'

/** An application has this user number under each user of the device. */
const USERS = 100_000
const FIRST_APP = 10_000
/** From here on processes are isolated: they run as nobody in particular. */
const FIRST_ISOLATED = 90_000

const PACKAGE_LINE = /^package:([\w.]+)\s.*\buid:([\d,]+)/
const STARTED = /^Start proc (\d+):([\w.]+)/
/** Priority, tag and NUL, and the words after them. */
const TOLD_BY = 'ActivityManager'
const STARTED_AT = 1 + TOLD_BY.length + 1
const STARTED_CHARS = 300
/** The name of a process that an application added is behind a colon. */
const nameOf = (process: string): string => process.split(':', 1)[0] ?? process

const PROCESSES_MAX = 10_000

export interface LogApps {
  /** Takes what `pm list packages -U` and `ps` printed. */
  learn(printed: string): void
  /** Hears of a process that was started. */
  hear(record: LogRecord): void
  applicationOf(record: LogRecord): string | undefined
  isInstalled(applicationId: string): boolean
  /** True once for each user that no package has: it may be of an application that was installed since. */
  isNews(record: LogRecord): boolean
}

export const createLogApps = (): LogApps => {
  let byUid = new Map<number, string[]>()
  let names = new Set<string>()
  const byPid = new Map<number, string>()
  const strangers = new Set<number>()

  const learn = (printed: string) => {
    const found = new Map<number, string[]>()
    const lines = printed.split('\n')
    const installed = new Set<string>()
    for (const line of lines) {
      const [, name, uids = ''] = PACKAGE_LINE.exec(line.trim()) ?? []
      if (name === undefined) continue
      installed.add(name)
      for (const uid of new Set(uids.split(',').map(each => Number(each) % USERS)))
        found.set(uid, [...(found.get(uid) ?? []), name])
    }
    if (installed.size > 0) {
      byUid = found
      names = installed
      strangers.clear()
    }
    const heading = lines.findIndex(line => /\bPID\b/.test(line) && /\bNAME\s*$/.test(line))
    if (heading < 0) return
    const column = (lines[heading] ?? '').trim().split(/\s+/).indexOf('PID')
    for (const line of lines.slice(heading + 1)) {
      const cells = line.trim().split(/\s+/)
      const [pid, name] = [Number(cells[column]), cells.at(-1) ?? '']
      if (pid > 0 && name.includes('.')) byPid.set(pid, nameOf(name))
    }
  }

  /** A device that lists no package denies none. */
  const isKnown = (name: string): boolean => names.size === 0 || names.has(name)

  const ofProcess = (pid: number): string | undefined => {
    const name = byPid.get(pid)
    return name !== undefined && isKnown(name) ? name : undefined
  }

  return {
    learn,
    hear({ buffer, payload }) {
      if (buffer !== SYSTEM_BUFFER || payload[1] !== TOLD_BY.charCodeAt(0)) return
      if (payload.toString('latin1', 1, STARTED_AT - 1) !== TOLD_BY) return
      const [, pid, name] = STARTED.exec(payload.toString('latin1', STARTED_AT, STARTED_AT + STARTED_CHARS)) ?? []
      if (name === undefined) return
      if (byPid.size >= PROCESSES_MAX) byPid.clear()
      byPid.set(Number(pid), name)
    },
    applicationOf({ uid, pid }) {
      if (uid === undefined) return ofProcess(pid)
      const sharing = byUid.get(uid % USERS)
      return sharing?.length === 1 ? sharing[0] : ofProcess(pid)
    },
    isInstalled: isKnown,
    isNews({ uid = 0 }) {
      const app = uid % USERS
      if (app < FIRST_APP || app >= FIRST_ISOLATED || byUid.has(app) || strangers.has(app)) return false
      strangers.add(app)
      return true
    },
  }
}

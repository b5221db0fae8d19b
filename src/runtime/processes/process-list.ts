/** Finds processes of this user in /proc, by their environment or the files they have open. Systems without /proc: none. */
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { attempt } from '../or-undefined.ts'
import { bootId, contentOf, procStatus } from './processes.ts'

export interface ProcessMark {
  /** The name of an environment variable. */
  name: string
  value: string
}

interface MarkedProcess {
  pid: number
  /** Its process group. */
  group: number
}

/** A process that has ended and was not waited for has no environment, so it is not among them. */
export type FindMarked = () => MarkedProcess[]

const PROC = '/proc'

const wordsOf = (pid: number, file: string): readonly string[] =>
  contentOf(`${PROC}/${pid}/${file}`)?.split('\0').filter(Boolean) ?? []

const entriesOf = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? []

const pids = (): number[] => entriesOf(PROC).flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))

/** The pid that was given out last. It falls when the numbers begin again: only then can a pid be used a second time. */
const newestPid = (): number => Number(contentOf(`${PROC}/loadavg`)?.trim().split(' ').at(-1))

/** The clock ticks between the boot and the start of the child. Undefined after another boot, and where there is no /proc. */
const ticksOf = (started: string): number | undefined => {
  const at = started.lastIndexOf(':')
  const ticks = started.slice(at + 1)
  // The clock of the ticks is that of the boot, in every namespace.
  if (at >= 0 && started.slice(0, at).replace(/@.*/, '') !== bootId()) return undefined
  return /^\d+$/.test(ticks) ? Number(ticks) : undefined
}

const isOfThisUser = (pid: number): boolean =>
  attempt(() => statSync(`${PROC}/${pid}`).uid === process.geteuid?.()) === true

export const commandLineOf = (pid: number): readonly string[] => wordsOf(pid, 'cmdline')

/** A marked process that calls adb may start its server, which every program on this host then shares. */
const isAdbServer = (pid: number): boolean => commandLineOf(pid).includes('fork-server')

const isMarked = (pid: number, { name, value }: ProcessMark): boolean =>
  isOfThisUser(pid) && wordsOf(pid, 'environ').includes(`${name}=${value}`) && !isAdbServer(pid)

/** The oldest first, without this one. */
export const markedPids = (mark: ProcessMark): number[] =>
  pids()
    .sort((one, other) => one - other)
    .filter(pid => pid !== process.pid && isMarked(pid, mark))

/**
 * Nothing that is older than `started`, as `startOf` says it, is looked for: to be called every few ms, it looks at each
 * of those once, and nearly all processes are.
 */
export const markedFinder = (mark: ProcessMark, started: string): FindMarked => {
  const since = ticksOf(started)
  const older = new Set<number>([process.pid])
  let newest = 0
  if (since === undefined) return () => []

  return () => {
    const last = newestPid()
    if (!(last >= newest)) {
      older.clear()
      older.add(process.pid)
    }
    newest = last
    return pids().flatMap(pid => {
      if (older.has(pid)) return []
      const status = procStatus(pid)
      if (status && status.ticks < since) older.add(pid)
      return status && status.ticks >= since && isMarked(pid, mark) ? [{ pid, group: status.group }] : []
    })
  }
}

/** The name that /proc gives to a file that was removed and is still open. */
export const removedName = (path: string): string => `${path} (deleted)`

/** The other processes that have one of these files open; `names` as /proc gives them. */
export const processesWithOpen = (names: ReadonlySet<string>): number[] =>
  pids().filter(pid => {
    const descriptors = `${PROC}/${pid}/fd`
    const opens = (descriptor: string) => names.has(attempt(() => readlinkSync(`${descriptors}/${descriptor}`)) ?? '')
    return pid !== process.pid && entriesOf(descriptors).some(opens)
  })

/** The processes of a run wherever they went: each carries SVC_SKILL_RUN_ID in the environment that it was started with. */
import { readdirSync, statSync } from 'node:fs'
import { SKILL_RUN_ENV } from '../../contracts/skill-run-id.ts'
import { bootId, contentOf, procStatus } from '../../runtime/processes.ts'

export interface RunMark {
  runId: string
  /** When the child of the run was started, as `startOf` says it; nothing that is older belongs to the run. */
  started: string
}

export interface MarkedProcess {
  pid: number
  /** Its process group. */
  group: number
}

/** The oldest first. A process that has ended and was not waited for has no environment, so it is not among them. */
export type FindMarked = () => MarkedProcess[]

const PROC = '/proc'

const wordsOf = (pid: number, file: string): readonly string[] =>
  contentOf(`${PROC}/${pid}/${file}`)?.split('\0').filter(Boolean) ?? []

const pids = (): number[] => {
  try {
    return readdirSync(PROC).flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

/** The pid that was given out last. It falls when the numbers begin again: only then can a pid be used a second time. */
const newestPid = (): number => Number(contentOf(`${PROC}/loadavg`)?.trim().split(' ').at(-1))

/** The clock ticks between the boot and the start of the child. Undefined after another boot, and where there is no /proc. */
const ticksOf = (started: string): number | undefined => {
  const at = started.lastIndexOf(':')
  const ticks = started.slice(at + 1)
  if (at >= 0 && started.slice(0, at) !== bootId()) return undefined
  return /^\d+$/.test(ticks) ? Number(ticks) : undefined
}

const isOfThisUser = (pid: number): boolean => {
  try {
    return statSync(`${PROC}/${pid}`).uid === process.geteuid?.()
  } catch {
    return false
  }
}

/** A script that calls adb may be the one that starts its server, which every program on this host then shares. */
const isAdbServer = (pid: number): boolean => wordsOf(pid, 'cmdline').includes('fork-server')

/**
 * Looks through /proc. While a run is being ended that happens every few ms, so a process that is older than the run is
 * looked at once: nearly all of them are.
 */
export const markedFinder = ({ runId, started }: RunMark): FindMarked => {
  const since = ticksOf(started)
  const mark = `${SKILL_RUN_ENV}=${runId}`
  const older = new Set<number>([process.pid])
  let newest = 0
  if (since === undefined) return () => []

  const isMarked = (pid: number) => isOfThisUser(pid) && wordsOf(pid, 'environ').includes(mark) && !isAdbServer(pid)

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
      return status && status.ticks >= since && isMarked(pid) ? [{ pid, group: status.group }] : []
    })
  }
}

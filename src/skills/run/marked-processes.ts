/** The processes of a run wherever they went: each carries SVC_SKILL_RUN_ID in the environment that it was started with. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { SKILL_RUN_ENV } from '../../contracts/skill-run-id.ts'
import { bootId } from '../../runtime/processes.ts'

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

export type FindMarked = (mark: RunMark) => MarkedProcess[]

const PROC = '/proc'

/** Undefined for a process that has gone, or that is not ours to look at. */
const contentOf = (pid: number, file: string): string | undefined => {
  try {
    return readFileSync(`${PROC}/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

const wordsOf = (pid: number, file: string): readonly string[] => contentOf(pid, file)?.split('\0') ?? []

const pids = (): number[] => {
  try {
    return readdirSync(PROC).flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

/** The clock ticks between the boot and the start of the child. Undefined after another boot, and where there is no /proc. */
const ticksOf = (started: string): number | undefined => {
  const at = started.lastIndexOf(':')
  const ticks = started.slice(at + 1)
  if (at >= 0 && started.slice(0, at) !== bootId()) return undefined
  return /^\d+$/.test(ticks) ? Number(ticks) : undefined
}

/** The fields of /proc/PID/stat after the name, which may itself hold spaces and parentheses: group is 5, start 22. */
const statusOf = (pid: number): { group: number; ticks: number } | undefined => {
  const stat = contentOf(pid, 'stat')
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && { group: Number(fields[2]), ticks: Number(fields[19]) }
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

/** The oldest first. A process that has ended and was not waited for has no environment, so it is not among them. */
export const findMarked: FindMarked = ({ runId, started }) => {
  const since = ticksOf(started)
  if (since === undefined) return []
  const mark = `${SKILL_RUN_ENV}=${runId}`
  return pids().flatMap(pid => {
    if (pid === process.pid) return []
    const status = statusOf(pid)
    if (!status || status.ticks < since || !isOfThisUser(pid)) return []
    return wordsOf(pid, 'environ').includes(mark) && !isAdbServer(pid) ? [{ pid, group: status.group }] : []
  })
}

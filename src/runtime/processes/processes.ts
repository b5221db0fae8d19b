/**
 * Tells processes apart for ever: a pid is used again, and means another process in a container; a pid with its start time,
 * the boot and the namespace of pids that it belongs to is not, and does not.
 */
import { readFileSync, statSync } from 'node:fs'
import { once } from '../once.ts'

export interface ProcessIdentity {
  pid: number
  started: string
}

/** Undefined for a file that is not there, or that this user may not read. */
export const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Most systems have /proc, and to load what starts processes costs a tenth of a Node start: only where it is needed.
 * A zone or language of the caller would change what `ps` prints about the same process.
 */
const ask = (command: string, args: string[]): string | undefined => {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin:/sbin:/usr/sbin' }
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync(command, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** Names this run of the machine; undefined where the system does not say. */
export const bootId = once(
  () => contentOf('/proc/sys/kernel/random/boot_id')?.trim() || ask('sysctl', ['-n', 'kern.boottime']) || undefined,
)

/** Earlier versions wrote start times without it. */
const namespace = once(() => `@${statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino}`)

interface ProcessStatus {
  state: string
  /** The process group. */
  group: number
  /** Clock ticks between the boot and its start. */
  ticks: number
}

/** The fields of /proc/PID/stat after the name, which may itself hold spaces and parentheses: state is 3, group 5, start 22. */
export const procStatus = (pid: number): ProcessStatus | undefined => {
  const stat = contentOf(`/proc/${pid}/stat`) ?? ''
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, group, ticks] = [fields[0], fields[2], fields[19]]
  return state && ticks ? { state, group: Number(group), ticks: Number(ticks) } : undefined
}

/** The state of one that has ended, and was not waited for, begins with a Z or an X. */
const startedByProc = (pid: number): string | undefined => {
  const status = procStatus(pid)
  return status && !/^[ZX]/.test(status.state) ? `${bootId()}${namespace()}:${status.ticks}` : undefined
}

const startedByPs = (pid: number): string | undefined =>
  /^[^ZX]\S*\s+(.+)$/.exec(ask('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]) ?? '')?.[1]

const hasProc = once(() => contentOf('/proc/self/stat') !== undefined)

export const startOf = (pid: number): string | undefined => (hasProc() ? startedByProc(pid) : startedByPs(pid))

export const thisProcess = once((): ProcessIdentity => {
  const started = startOf(process.pid)
  if (started === undefined) throw new Error('neither /proc nor ps says when this process began')
  return { pid: process.pid, started }
})

/** A process that has exited but was not waited for is dead. False for one that cannot be seen from here. */
export const isAlive = ({ pid, started }: ProcessIdentity): boolean => {
  const found = startOf(pid)
  return found === started || found?.replace(namespace(), '') === started
}

/** The boot and the pid namespace in which a process was started. */
export const placeOf = (started: string): string => (hasProc() ? started.slice(0, started.lastIndexOf(':')) : '')

/**
 * The same, but undefined for a process of another container or another machine that shares the home, and for one whose
 * start time names no namespace: it may be alive where this process cannot look.
 */
export const mayLive = (process: ProcessIdentity): boolean | undefined => {
  const self = thisProcess()
  if ((process.pid === self.pid && process.started === self.started) || isAlive(process)) return true
  const isForeign = hasProc() ? placeOf(process.started) !== placeOf(self.started) : process.started.includes('@')
  return isForeign ? undefined : false
}

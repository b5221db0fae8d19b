/** All that runs ask of the operating system: processes, signals and private folders. */
import { type ChildProcess, spawn } from 'node:child_process'
import { type FindMarked, markedFinder, markedPids, type ProcessMark } from '../../../runtime/processes/process-list.ts'
import { type ProcessIdentity, startOf } from '../../../runtime/processes/processes.ts'
import { type OpenPty, openPty } from './pty.ts'
import { makeRunFolder, type NewRunFolder, type RunFolder, removeLeftRunFolders } from './run-folder.ts'

interface Output {
  on(event: 'data', listener: (bytes: Buffer) => void): unknown
  destroy(): unknown
}

/** A child on pipes. */
export interface PipedChild extends Pick<ChildProcess, 'pid' | 'unref'> {
  stdout: Output
  stderr: Output
  on(event: 'exit' | 'close', listener: (exitCode: number | null, signal: string | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'spawn', listener: () => void): unknown
}

export interface SpawnOptions {
  cwd: string
  env: Readonly<Record<string, string>>
}

export interface ChildSystem {
  /** This process. */
  pid: number
  /** Tells a process from a later one with the same pid; undefined when the system does not say. */
  startOf(pid: number): string | undefined
  /** Starts the leader of a new process group. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): PipedChild
  openPty: OpenPty
  /** To a process, or to a group by its negative number; signal 0 only looks. Throws what the system says. */
  kill(target: number, signal: NodeJS.Signals | 0): void
  markedFinder(mark: ProcessMark, started: string): FindMarked
  markedPids(mark: ProcessMark): readonly number[]
  makeRunFolder(folder: NewRunFolder): RunFolder
  /** Removes those of processes that are gone. */
  removeLeftRunFolders(places: readonly string[], now: number): void
}

/** False for an identity of which the system does not say that it is still the same process. */
export type IsAlive = (identity: ProcessIdentity) => boolean

export const childSystem: ChildSystem = {
  pid: process.pid,
  startOf,
  spawn: (command, args, options) =>
    spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
  openPty,
  kill: (target, signal) => void process.kill(target, signal),
  markedFinder,
  markedPids,
  makeRunFolder,
  removeLeftRunFolders: (places, now) => removeLeftRunFolders(places, startOf, now),
}

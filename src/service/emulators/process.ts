/** The process of an emulator: started with a log of its own, watched, and ended with all that it started. */
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { EmulatorProcess, StartOptions } from '../../contracts/events/emulator.ts'
import {
  EMULATOR_END_MS,
  EMULATOR_LOG_TAIL_BYTES,
  SDK_OUTPUT_CHARS_KEPT,
} from '../../contracts/limits/emulator-limits.ts'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { sharedChildEnv } from '../../runtime/processes/child-env.ts'
import { isAlive, type ProcessIdentity, startOf } from '../../runtime/processes/processes.ts'
import { type EmulatorFailure, emulatorFailure } from './failure.ts'
import { EMULATOR_REQUEST_ENV, endGroup, shownText } from './run-tool.ts'
import type { EmulatorDeps } from './sdk.ts'

export const logPath = (folder: string, avdName: string): string => join(folder, `${avdName}.log`)

const startArguments = (avdName: string, { wipe, window }: StartOptions): string[] => [
  `@${avdName}`,
  '-no-snapshot-load',
  '-no-boot-anim',
  ...(wipe ? ['-wipe-data'] : []),
  ...(window ? [] : ['-no-window']),
]

/** The log of the start before is kept beside it. */
const openLog = (folder: string, avdName: string): { path: string; file: number } => {
  makeFolder(folder, HOME_MODE)
  const path = logPath(folder, avdName)
  try {
    renameSync(path, `${path}.1`)
  } catch {
    // There was none.
  }
  return { path, file: openSync(path, 'wx', STATE_FILE_MODE) }
}

export const logTail = (path: string): string => {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const bytes = Buffer.alloc(Math.min(size, EMULATOR_LOG_TAIL_BYTES))
      const read = readSync(file, bytes, 0, bytes.length, size - bytes.length)
      return shownText(bytes.toString('utf8', 0, read)).slice(-SDK_OUTPUT_CHARS_KEPT)
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** How children of this process ended. */
const exits = new Map<number, string>()
const EXITS_KEPT = 1_000

/** Children whose end has not been reported yet. */
const children = new Set<number>()

export const exitOf = ({ pid }: ProcessIdentity): string | undefined => exits.get(pid)

/** A child whose first thread has ended counts as dead; how it ended is told when the last one has. */
export const isExitUnknown = ({ pid }: ProcessIdentity): boolean => children.has(pid)

/** Detached, so that it goes on when this process ends. */
export const launchEmulator = (
  { path, avdName, options, requestId }: { path: string; avdName: string; options: StartOptions; requestId: string },
  { env, folder }: Pick<EmulatorDeps, 'env' | 'folder'>,
): Promise<{ ok: true; process: EmulatorProcess } | { ok: false; failure: EmulatorFailure }> =>
  new Promise(resolve => {
    const failed = (reason: string): void =>
      resolve({
        ok: false,
        failure: emulatorFailure('EMULATOR_START_FAILED', `The emulator could not be started: ${reason}.`, {
          tool: 'emulator',
          args: startArguments(avdName, options),
        }),
      })
    let log: ReturnType<typeof openLog>
    try {
      log = openLog(folder, avdName)
    } catch (error) {
      return failed(`its log ${logPath(folder, avdName)} cannot be written: ${messageOf(error)}`)
    }
    const child = spawn(path, startArguments(avdName, options), {
      env: { ...sharedChildEnv(env), [EMULATOR_REQUEST_ENV]: requestId },
      stdio: ['ignore', log.file, log.file],
      detached: true,
    })
    closeSync(log.file)
    child.once('error', error => failed(error.message))
    child.once('exit', (code, signal) => {
      if (child.pid === undefined) return
      children.delete(child.pid)
      if (exits.size >= EXITS_KEPT) exits.clear()
      exits.set(child.pid, signal === null ? `exit code ${code}` : signal)
    })
    child.once('spawn', () => {
      child.unref()
      const pid = child.pid ?? 0
      exits.delete(pid)
      children.add(pid)
      // One that has ended already has no start time; its identity then is that of nobody.
      resolve({ ok: true, process: { pid, started: startOf(pid) ?? '', log: log.path } })
    })
  })

const LOOK_MS = 100

/** Ends it and all that it started; says whether it is gone. */
export const endProcess = async (identity: ProcessIdentity, clock: Clock): Promise<boolean> => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isAlive(identity)) return true
    endGroup(identity.pid, signal)
    // A process that leads no group of its own is ended alone.
    try {
      process.kill(identity.pid, signal)
    } catch {
      return true
    }
    const until = clock.elapsed() + EMULATOR_END_MS
    while (isAlive(identity) && clock.elapsed() < until) await pause(clock, LOOK_MS)
  }
  return !isAlive(identity)
}

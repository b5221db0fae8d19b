/**
 * Writes the code of the pieces that this process has run to the folder of compiled code. What was run is compiled, and V8
 * reads the code of a piece as a whole: what was never run is better compiled when it is.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Script } from 'node:vm'
import {
  CODE_CACHE_BYTES_MAX,
  CODE_CACHE_FILES_MAX,
  DISK_FREE_LEAST,
  HOME_MODE,
  STATE_FILE_MODE,
} from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { statOf } from '../../runtime/files/small-file.ts'
import { isTrustedFolder, sealCode } from './code-cache.ts'

/** A piece that this process has loaded. */
export interface LoadedPiece {
  /** The file of its code. */
  path: string
  /** Made by `codeOrigin`. */
  origin: Uint8Array
  sourceBytes: number
  script: Script
  /** Bytes of its code that are kept: 0 where it had to be compiled. */
  keptBytes: number
  /** When that was written or found complete; 0 for never. */
  lookedAtMs: number
}

/** The pieces of one process, and where their code is kept. */
export interface LoadedCode {
  /** Undefined where none is kept. */
  folder: string | undefined
  /** Grows as more is loaded. */
  pieces: LoadedPiece[]
}

interface KeepOptions {
  folder: string | undefined
  clock: Clock
  /** Asked before each piece. */
  isTime: () => boolean | Promise<boolean>
}

const MS_PER_S = 1_000
/** A command that has ended spends this part of its time on it, or the time of one piece: the next one goes on. */
const SHARE = 0.05
/** By then a process that lasts has done what it is asked for. */
const LATER_MS = 60_000
/** The event loop counts as idle when it worked for less than a tenth of this time. */
const WATCHED_MS = 500
const IDLE = 0.1
/** A process that compiled only a little more than it loaded leaves the file as it is. */
const GROWN = 1.05

/** Makes the folder only where the one around it is: a command that keeps nothing makes no home. */
const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: HOME_MODE })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const hasSpace = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > DISK_FREE_LEAST.bytes
}

const writeCode = (piece: LoadedPiece, clock: Clock): void => {
  const { path, origin, script, keptBytes } = piece
  const draft = `${path}.${process.pid}`
  // Opened first: where nothing can be written, no code is made.
  const opened = openSync(draft, 'w', STATE_FILE_MODE)
  try {
    const code = script.createCachedData()
    if (code.length > keptBytes * GROWN) {
      for (const part of sealCode(code, origin)) writeFileSync(opened, part)
      renameSync(draft, path)
      piece.keptBytes = code.length
    } else {
      const now = clock.now() / MS_PER_S
      utimesSync(path, now, now)
    }
    piece.lookedAtMs = clock.now()
  } finally {
    closeSync(opened)
    rmSync(draft, { force: true })
  }
}

/** Drafts that a killed process left are files like others, and go when they are old. */
const dropOldest = (folder: string): void => {
  const files = readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    const facts = statOf(path)
    return facts ? [{ path, bytes: facts.size, at: facts.mtimeMs }] : []
  })
  let bytes = 0
  for (const [index, file] of files.sort((one, other) => other.at - one.at).entries()) {
    bytes += file.bytes
    if (index >= CODE_CACHE_FILES_MAX || bytes > CODE_CACHE_BYTES_MAX) rmSync(file.path, { force: true })
  }
}

/** The largest pieces come first. Nothing depends on it: a folder that cannot be written ends it. */
export const keepCode = async (
  pieces: readonly LoadedPiece[],
  { folder, clock, isTime }: KeepOptions,
): Promise<void> => {
  if (folder === undefined) return
  try {
    makeFolder(folder)
    if (!isTrustedFolder(folder) || !hasSpace(folder)) return
    for (const piece of pieces.toSorted((one, other) => other.sourceBytes - one.sourceBytes)) {
      if (!(await isTime())) break
      writeCode(piece, clock)
    }
    dropOldest(folder)
  } catch {
    return
  }
}

/** For the end of a command, when all is printed. */
export const keepAtEnd = async ({ folder, pieces }: LoadedCode, clock: Clock): Promise<void> => {
  const until = clock.elapsed() + process.uptime() * MS_PER_S * SHARE
  let isFirst = true
  const isTime = () => {
    const isLeft = isFirst || clock.elapsed() < until
    isFirst = false
    return isLeft
  }
  await keepCode(pieces, { folder, clock, isTime })
}

/** Does not keep the process. */
const idlePause = (clock: Clock, ms: number): Promise<void> =>
  new Promise(resolve => clock.at(clock.now() + ms, resolve, { idle: true }))

const untilIdle = async (clock: Clock): Promise<true> => {
  const { performance } = process.getBuiltinModule('node:perf_hooks')
  const before = performance.eventLoopUtilization()
  await idlePause(clock, WATCHED_MS)
  return performance.eventLoopUtilization(before).utilization > IDLE ? untilIdle(clock) : true
}

/** For a process that lasts: it keeps what it compiled when nobody asks it for anything. */
export const keepWhileLasting = async ({ folder, pieces }: LoadedCode, clock: Clock): Promise<void> => {
  const keep = () => keepCode([...pieces], { folder, clock, isTime: () => untilIdle(clock) })
  await keep()
  await idlePause(clock, LATER_MS)
  await keep()
}

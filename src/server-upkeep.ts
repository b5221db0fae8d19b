/** The upkeep of a long-running process: settle what dead processes left, and keep the journal small. */
import type { Clock } from './runtime/clock.ts'
import { startJournalUpkeep, type UpkeepTask } from './runtime/journal/upkeep.ts'
import { createPool } from './workers/pool.ts'
import { threadFile } from './workers/thread-file.ts'

export interface UpkeepOptions {
  clock: Clock
  /** The program file, beside which the bundle of the thread is. */
  program: string | undefined
  /** The journal file, if there is one. */
  path: string | undefined
  recover(): Promise<void>
}

/** Executions and runs of dead processes are settled within this time, even when nobody asks for them. */
const RECOVER_EVERY_MS = 5_000
/** Bounds one task of the thread that keeps the journal. */
const KEEP_MS = 10 * 60_000
/** A server at work fills the WAL every few seconds. */
const THREAD_REST_MS = 30_000

/** True when a thread waits for the disk in place of this one. */
export const hasUpkeepThread = (program: string | undefined): boolean => threadFile(program, 'upkeep') !== undefined

/** Returns the end of it. */
export const startUpkeep = ({ clock, program, path, recover }: UpkeepOptions): (() => void) => {
  const sweep = () =>
    clock.at(
      clock.now() + RECOVER_EVERY_MS,
      () => {
        // One after the other, however long the journal keeps one waiting.
        const next = () => {
          if (!isOver) timer = sweep()
        }
        recover().then(next, next)
      },
      { idle: true },
    )
  let isOver = false
  let timer = sweep()
  const file = path === undefined ? undefined : threadFile(program, 'upkeep')
  const pool =
    file === undefined
      ? undefined
      : createPool<UpkeepTask, void>({ file, name: 'doUpkeep', threads: 1, restMs: THREAD_REST_MS })
  const stop =
    pool && path !== undefined
      ? startJournalUpkeep({ path, clock, run: task => pool.run(task, AbortSignal.timeout(KEEP_MS)) })
      : () => {}
  return () => {
    isOver = true
    timer.cancel()
    stop()
    void pool?.close()
  }
}

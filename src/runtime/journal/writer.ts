/** Writes in groups: what is asked for in one turn of the event loop is one commit. A lock is never waited for in place. */
import type { Clock } from '../clock.ts'
import type { Connection } from './connection.ts'
import { asJournalError, JournalError } from './fault.ts'

export interface Writer {
  /** Resolves after the commit. Rejects with JournalError; then nothing of `work` was written. */
  write<T>(work: () => T): Promise<T>
  /** Writes what is queued now, unless it waits for a lock. */
  flush(): void
  /** Tries once to write what is queued, and refuses the rest and everything after. */
  close(): void
}

interface WriterOptions {
  connection: Connection
  clock: Clock
  /** Called before each group. What it throws refuses the group. */
  check?: () => void
  /** Called inside each transaction, before the first job. What it throws refuses the group. */
  guard?: () => void
  /** Called after each commit with what the jobs came to. */
  onCommit: (results: readonly unknown[]) => void
  /** Called for each group of which nothing could be written. */
  onRefused?: (error: JournalError) => void
}

interface Job {
  work: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  queuedAt: number
}

/** How long a write may be kept out by other processes. */
const BUSY_MS = 5_000
const RETRY_MS = 10
/** Then the event loop has its turn. */
const GROUP_MAX = 64

export const createWriter = ({
  connection,
  clock,
  check = () => {},
  guard = () => {},
  onCommit,
  onRefused = () => {},
}: WriterOptions): Writer => {
  let queue: Job[] = []
  let isScheduled = false
  /** Another process writes: what is queued is tried again later. */
  let isLockedOut = false
  let isClosed = false

  const isBusy = (error: unknown) => error instanceof JournalError && error.reason === 'busy'
  const refuse = (jobs: readonly Job[], thrown: unknown) => {
    if (jobs.length === 0) return
    const error = asJournalError(thrown)
    onRefused(error)
    for (const { reject } of jobs) reject(error)
  }

  /** All in one transaction. If one of them fails, each is tried alone, so that no job fails for another one's fault. */
  const writeGroup = (jobs: readonly Job[]): void => {
    let results: unknown[]
    try {
      results = connection.write(() => {
        guard()
        return jobs.map(({ work }) => work())
      })
    } catch (error) {
      if (isBusy(error) || jobs.length === 1) throw error
      for (const [index, job] of jobs.entries()) {
        try {
          writeGroup([job])
        } catch (jobError) {
          if (isBusy(jobError)) {
            putBack(jobs.slice(index))
            return
          }
          refuse([job], jobError)
        }
      }
      return
    }
    onCommit(results)
    for (const [index, { resolve }] of jobs.entries()) resolve(results[index])
  }

  const putBack = (jobs: readonly Job[]) => {
    queue = [...jobs, ...queue]
  }

  const flush = (): void => {
    isScheduled = false
    isLockedOut = false
    const jobs = queue.splice(0, GROUP_MAX)
    if (jobs.length === 0) return
    try {
      check()
      writeGroup(jobs)
    } catch (error) {
      if (!isBusy(error)) refuse(jobs, error)
      else {
        const since = clock.elapsed() - BUSY_MS
        refuse(
          jobs.filter(({ queuedAt }) => queuedAt <= since),
          error,
        )
        putBack(jobs.filter(({ queuedAt }) => queuedAt > since))
        if (queue.length > 0) retry()
        return
      }
    }
    if (queue.length > 0) schedule()
  }

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    clock.soon(flush)
  }
  const retry = () => {
    if (isScheduled) return
    isScheduled = true
    isLockedOut = true
    clock.at(clock.now() + RETRY_MS, flush)
  }

  return {
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (isClosed) return reject(new JournalError('closed', 'The journal is closed'))
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject, queuedAt: clock.elapsed() })
        schedule()
      }),
    flush: () => {
      if (!isLockedOut) flush()
    },
    close() {
      while (queue.length > 0 && !isClosed) {
        const before = queue.length
        flush()
        if (queue.length >= before) break
      }
      isClosed = true
      refuse(queue.splice(0), new JournalError('closed', 'The journal is closed'))
    },
  }
}

/** Threads for work that is too heavy for the event loop: a few of them, one task at a time each, all with an end. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Tinypool } from 'tinypool'

export interface PoolOptions {
  /** The bundle of the thread. */
  file: string
  /** The name of the exported function that does one task. */
  name: string
  /** At most; a thread is started when there is a task for it, and ends when there is none. */
  threads: number
  /** How long a thread waits for a next task: to start one takes longer than most tasks. */
  restMs?: number
}

export interface Pool<In, Out> {
  /** Rejects when the task fails, the signal is aborted, which ends its thread, or the pool is closed. */
  run(task: In, signal: AbortSignal): Promise<Out>
  /** Ends every thread, and whatever it is doing. */
  close(): Promise<void>
}

/** A thread that has ended itself never says so: nobody waits for it for longer. */
const CLOSE_MS = 1_000
const GIVEN_UP = 'the task was cancelled'

const ended = (signal: AbortSignal): Promise<undefined> =>
  new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

/**
 * One Tinypool for each thread: a task that is given up takes its own pool with it, and no other task waits for a thread
 * that is being ended.
 */
export const createPool = <In, Out>({ file, name, threads, restMs = 0 }: PoolOptions): Pool<In, Out> => {
  const filename = pathToFileURL(file).href
  const free: Tinypool[] = []
  const pools = new Set<Tinypool>()
  const waiting = new Set<(pool: Tinypool) => void>()
  const closing = new AbortController()

  const destroy = async (pool: Tinypool) => {
    pools.delete(pool)
    await Promise.race([pool.destroy(), ended(AbortSignal.timeout(CLOSE_MS))])
  }
  type Create = () => Tinypool
  /** Loads Tinypool with the first task: many processes that could start threads have no work for one. */
  const loadCreate = async (): Promise<Create> => {
    const { Tinypool } = await import('tinypool')
    return () => {
      const pool = new Tinypool({ filename, minThreads: 0, maxThreads: 1, idleTimeout: restMs })
      pools.add(pool)
      return pool
    }
  }
  let loading: Promise<Create> | undefined
  const take = async (create: Create, signal: AbortSignal): Promise<Tinypool | undefined> => {
    const pool = free.pop() ?? (pools.size < threads ? create() : undefined)
    if (pool) return pool
    let accept: (pool: Tinypool) => void = () => {}
    const offered = new Promise<Tinypool>(resolve => {
      accept = resolve
    })
    waiting.add(accept)
    const taken = await Promise.race([offered, ended(signal)])
    // One that was given in the moment of the abort is for the next in line.
    if (!taken && !waiting.delete(accept)) giveBack(await offered)
    return taken
  }
  const giveBack = (pool: Tinypool) => {
    const [next] = waiting
    if (!next) return void free.push(pool)
    waiting.delete(next)
    next(pool)
  }

  const attempt = async (create: Create, pool: Tinypool, task: In, signal: AbortSignal): Promise<Out> => {
    const done: Promise<Out> = pool.run(task, { name, signal })
    const settled = await Promise.race([done.then(value => ({ value })).catch(error => ({ error })), ended(signal)])
    if (settled && !signal.aborted) {
      giveBack(pool)
      if ('value' in settled) return settled.value
      throw settled.error
    }
    void destroy(pool)
    if (!closing.signal.aborted && waiting.size > 0) giveBack(create())
    throw new Error(GIVEN_UP)
  }

  return {
    run: async (task, caller) => {
      const signal = AbortSignal.any([caller, closing.signal])
      if (signal.aborted) throw new Error(GIVEN_UP)
      if (!existsSync(file)) throw new Error(`the thread's bundle ${file} does not exist`)
      loading ??= loadCreate()
      const create = await loading
      const pool = signal.aborted ? undefined : await take(create, signal)
      if (!pool) throw new Error(GIVEN_UP)
      return attempt(create, pool, task, signal)
    },
    async close() {
      closing.abort(GIVEN_UP)
      await Promise.all([...pools].map(destroy))
    },
  }
}

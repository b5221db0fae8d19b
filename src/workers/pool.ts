/** Threads for work that is too heavy for the event loop: a few of them, one task at a time each, all with an end. */
import { Worker } from 'node:worker_threads'

export interface PoolOptions {
  /** The bundle of the thread: it answers each message with `Done`. */
  file: string
  /** At most; a thread is started when there is a task for it. */
  threads: number
}

/** What a thread says. */
export type Done<T> = { ok: true; value: T } | { ok: false; message: string }

export interface Pool<In, Out> {
  /** Rejects when the task fails, its thread dies, the signal is aborted, or the pool is closed. */
  run(task: In, signal: AbortSignal): Promise<Out>
  /** Ends every thread, and whatever it is doing. */
  close(): Promise<void>
}

interface Job<In, Out> {
  task: In
  resolve: (value: Out) => void
  reject: (error: Error) => void
}

interface Seat<In, Out> {
  worker: Worker
  job: Job<In, Out> | undefined
}

export const createPool = <In, Out>({ file, threads }: PoolOptions): Pool<In, Out> => {
  const seats = new Set<Seat<In, Out>>()
  const waiting: Job<In, Out>[] = []
  let isClosed = false

  const leave = (seat: Seat<In, Out>, why: string) => {
    seats.delete(seat)
    seat.job?.reject(new Error(why))
    seat.job = undefined
    serve()
  }

  const finish = (seat: Seat<In, Out>, done: Done<Out>) => {
    const { job } = seat
    seat.job = undefined
    if (done.ok) job?.resolve(done.value)
    else job?.reject(new Error(done.message))
    serve()
  }

  const open = (): Seat<In, Out> => {
    const worker = new Worker(file)
    const seat: Seat<In, Out> = { worker, job: undefined }
    worker.on('message', (done: Done<Out>) => finish(seat, done))
    worker.on('error', error => leave(seat, `a worker thread failed: ${error.message}`))
    worker.on('exit', () => leave(seat, 'a worker thread ended in the middle of its task'))
    seats.add(seat)
    return seat
  }

  const freeSeat = () => [...seats].find(({ job }) => job === undefined) ?? (seats.size < threads ? open() : undefined)

  function serve(): void {
    while (!isClosed && waiting.length > 0) {
      const seat = freeSeat()
      const job = seat && waiting.shift()
      if (!job) return
      seat.job = job
      seat.worker.postMessage(job.task)
    }
  }

  /** A task under way can only be ended with its thread. */
  const giveUp = (job: Job<In, Out>) => {
    const place = waiting.indexOf(job)
    if (place >= 0) waiting.splice(place, 1)
    job.reject(new Error('the task was given up'))
    const seat = [...seats].find(each => each.job === job)
    if (!seat) return
    seats.delete(seat)
    void seat.worker.terminate()
    serve()
  }

  return {
    run: (task, signal) =>
      new Promise<Out>((resolve, reject) => {
        if (isClosed || signal.aborted) {
          reject(new Error('the task was given up'))
          return
        }
        const onAbort = () => giveUp(job)
        const settle = () => signal.removeEventListener('abort', onAbort)
        const job: Job<In, Out> = {
          task,
          resolve: value => {
            settle()
            resolve(value)
          },
          reject: error => {
            settle()
            reject(error)
          },
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.push(job)
        serve()
      }),
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(new Error('the pool was closed'))
      await Promise.all([...seats].map(({ worker }) => worker.terminate()))
    },
  }
}

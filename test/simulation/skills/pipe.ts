/** A pipe from processes to the one that reads: bytes in order, and an end once nobody holds it any more. */
import type { Owner, Scheduler } from '../scheduler.ts'

/** Tasks of one owner that keep their order. */
export type Lane = (what: string, ms: number, run: () => void) => void

export const createLane = (scheduler: Scheduler, to: Owner): Lane => {
  const queue: (() => void)[] = []
  let lastAt = 0
  return (what, ms, run) => {
    lastAt = Math.max(lastAt, scheduler.now() + ms)
    queue.push(run)
    scheduler.post(to, lastAt - scheduler.now(), what, () => queue.shift()?.())
  }
}

export interface Pipe {
  on(event: 'data', listener: (bytes: Buffer) => void): void
  destroy(): void
  readonly holders: Set<object>
  leave(holder: object): void
  /** False when nobody reads any more. */
  write(text: string): boolean
}

interface PipeOptions {
  reader: Owner
  lane: Lane
  delay(): number
  onEnd(): void
}

export const createPipe = ({ reader, lane, delay, onEnd }: PipeOptions): Pipe => {
  const holders = new Set<object>()
  let listener: ((bytes: Buffer) => void) | undefined
  let isOver = false
  const finish = () => {
    if (isOver) return
    isOver = true
    onEnd()
  }
  return {
    holders,
    on: (_, call) => {
      listener = call
    },
    destroy() {
      finish()
    },
    leave(holder) {
      holders.delete(holder)
      if (holders.size === 0) lane('reads the end', delay(), finish)
    },
    write(text) {
      if (reader.isDead || isOver) return false
      const bytes = Buffer.from(text)
      lane(`reads ${bytes.length} bytes`, delay(), () => {
        if (!isOver) listener?.(bytes)
      })
      return true
    },
  }
}

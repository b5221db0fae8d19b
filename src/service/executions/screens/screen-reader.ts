/** Reads hierarchies: here while that takes a moment, else in a thread, so that no other caller waits for it. */
import { SCREEN_READ_HERE_CHARS } from '../../../contracts/limits/limits.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { createPool, type Pool } from '../../../runtime/threads/pool.ts'
import { readScreen, type ScreenRead, type ScreenTask } from './read-screen.ts'

export interface ScreenReader {
  read(task: ScreenTask, signal: AbortSignal): Promise<ScreenRead>
  close(): Promise<void>
}

/** `file` is the bundle of the thread; without one, everything is read here. */
export const createScreenReader = (file: string | undefined): ScreenReader => {
  let pool: Pool<ScreenTask, ScreenRead> | undefined
  return {
    async read(task, signal) {
      const chars = task.xml.length * (1 + task.wanted.length)
      if (file === undefined || chars <= SCREEN_READ_HERE_CHARS) return readScreen(task)
      pool ??= createPool<ScreenTask, ScreenRead>({ file, name: 'readScreen', threads: 1 })
      try {
        return await pool.run(task, signal)
      } catch (error) {
        return { ok: false, problem: `the hierarchy was not read: ${messageOf(error)}` }
      }
    },
    close: async () => pool?.close(),
  }
}

/** The other side of a pool: a thread that does what it is sent, one task after the other. */
import { parentPort } from 'node:worker_threads'
import type { Done } from './pool.ts'

export const serveTasks = <In, Out>(work: (task: In) => Out): void => {
  const port = parentPort
  if (!port) throw new Error('this is no thread of a pool')
  const attempt = (task: In): Done<Out> => {
    try {
      return { ok: true, value: work(task) }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    }
  }
  port.on('message', (task: In) => port.postMessage(attempt(task)))
}

/** Evaluates XPath expressions in a thread that stays for a while, so that no other caller waits for them. */
import { messageOf } from '../../../../runtime/message-of.ts'
import { createPool, type Pool } from '../../../../runtime/threads/pool.ts'
import { evaluateXPath, type XPathAnswer, type XPathTask } from './evaluate-xpath.ts'

export interface XPathEvaluator {
  evaluate(task: XPathTask, signal?: AbortSignal): Promise<XPathAnswer>
  close(): Promise<void>
}

const THREADS = 2
/** A suite locates again within that time. */
const THREAD_REST_MS = 30_000
/** For the start of a thread, and for those who are before in line. */
const WAIT_MS_MAX = 10_000

/** `file` is the bundle of the thread; without one, everything is evaluated here. */
export const createXPathEvaluator = (file: string | undefined): XPathEvaluator => {
  let pool: Pool<XPathTask, XPathAnswer> | undefined
  return {
    async evaluate(task, signal = new AbortController().signal) {
      if (file === undefined) return evaluateXPath(task)
      pool ??= createPool({ file, name: 'evaluateXPath', threads: THREADS, restMs: THREAD_REST_MS })
      const late = AbortSignal.timeout(WAIT_MS_MAX + task.timeoutMs)
      try {
        return await pool.run(task, AbortSignal.any([signal, late]))
      } catch (error) {
        signal.throwIfAborted()
        const reason = late.aborted ? 'in time: other expressions are evaluated' : `: ${messageOf(error)}`
        return { ok: false, message: `The XPath expression ${task.expression} was not evaluated ${reason}.` }
      }
    },
    close: async () => pool?.close(),
  }
}

/** Where there is no thread. */
export const xpathHere: XPathEvaluator = createXPathEvaluator(undefined)

/** A look at one receipt: it asks for what is in doubt, and waits for the outcome as long as it may. */
import { outcomeOf } from '../../../contracts/executions/outcome-of.ts'
import { EVIDENCE_ASK_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import type { Journal, StoredReceipt } from '../../../runtime/journal/journal.ts'
import type { Decided, Receipts } from '../service.ts'
import type { WhenOver } from '../wait-for-end.ts'
import { isOpenQuestion, type Learner } from './learn.ts'

interface DecideOptions {
  host: Pick<Host, 'onStop'>
  journal: Pick<Journal, 'receipt'>
  clock: Clock
  learner: Pick<Learner, 'learn'>
  whenOver: WhenOver
}

type Wait = Parameters<Receipts['decided']>[1]

/** A fixed abort reason: without one, each abort makes an exception with a stack. */
const STOPPING = 'the process stops'

/** How long it is until a phone that does not know yet is asked again. */
const AGAIN_MS = 1_000

export const createDecide = ({ host, journal, clock, learner, whenOver }: DecideOptions): Receipts['decided'] => {
  const stopped = new AbortController()
  host.onStop(async () => stopped.abort(STOPPING))

  const ask = async (receipt: StoredReceipt, withinMs: number, signal?: AbortSignal): Promise<Decided> => {
    const answer = await learner.learn(receipt, { signal, withinMs, again: true })
    const now = journal.receipt(receipt.executionId) ?? receipt
    const isFinal = (answer?.kind === 'nothing' && answer.isFinal) || undefined
    if (!answer || !isOpenQuestion(now)) return { receipt: now, isFinal }
    const undecided = answer.kind === 'nothing' ? answer.why : undefined
    return { receipt: now, undecided, running: answer.kind === 'running' ? answer.step : undefined, isFinal }
  }

  const decide = async (receipt: StoredReceipt, { waitMs = 0, signal }: Wait): Promise<Decided> => {
    const until = clock.elapsed() + waitMs
    let found: Decided = { receipt }
    for (let isFirst = true; outcomeOf(found.receipt) === 'unknown'; isFirst = false) {
      const leftMs = until - clock.elapsed()
      if (!isFirst && (leftMs <= 0 || signal?.aborted)) break
      if (isOpenQuestion(found.receipt)) {
        // The first question is asked whole, however short the wait is.
        const withinMs = isFirst ? EVIDENCE_ASK_MS : Math.min(EVIDENCE_ASK_MS, leftMs)
        found = await ask(found.receipt, withinMs, signal)
        if (found.isFinal) break
        if (leftMs > 0 && outcomeOf(found.receipt) === 'unknown') await pause(clock, Math.min(AGAIN_MS, leftMs), signal)
      } else if (leftMs > 0) {
        const { executionId } = found.receipt
        found = { receipt: (await whenOver(executionId, { withinMs: leftMs, leave: signal })) ?? found.receipt }
      }
    }
    return found
  }

  /** Nobody waits for more than a stopping process knows already. */
  const decideUntilStop = async (receipt: StoredReceipt, { signal, ...wait }: Wait): Promise<Decided> => {
    const over = new AbortController()
    const leave = AbortSignal.any([stopped.signal, over.signal, ...(signal ? [signal] : [])])
    const stop = new Promise<Decided>(resolve => {
      const onStop = () => resolve({ receipt: journal.receipt(receipt.executionId) ?? receipt })
      stopped.signal.addEventListener('abort', onStop, { once: true, signal: over.signal })
      if (stopped.signal.aborted) onStop()
    })
    try {
      return await Promise.race([decide(receipt, { ...wait, signal: leave }), stop])
    } finally {
      over.abort(STOPPING)
    }
  }

  return (receipt, wait) => (wait.waitMs ? decideUntilStop(receipt, wait) : decide(receipt, wait))
}

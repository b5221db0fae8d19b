/** A look at one receipt: it asks for what is in doubt, and waits for the outcome as long as it may. */
import { outcomeOf } from '../../../contracts/executions/outcome-of.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Journal, StoredReceipt } from '../../../runtime/journal/journal.ts'
import type { Decided, Receipts } from '../service.ts'
import type { WhenOver } from '../wait-for-end.ts'
import { isOpenQuestion, type Learner } from './learn.ts'

interface DecideOptions {
  journal: Pick<Journal, 'receipt'>
  clock: Clock
  learner: Pick<Learner, 'learn'>
  whenOver: WhenOver
}

/** How long it is until a phone that does not know yet is asked again. */
const AGAIN_MS = 1_000

export const createDecide = ({ journal, clock, learner, whenOver }: DecideOptions): Receipts['decided'] => {
  const ask = async (receipt: StoredReceipt, signal?: AbortSignal): Promise<Decided & { isFinal: boolean }> => {
    const answer = await learner.learn(receipt, { signal, again: true })
    const now = journal.receipt(receipt.executionId) ?? receipt
    const isFinal = answer?.kind === 'nothing' && answer.isFinal
    if (!answer || !isOpenQuestion(now)) return { receipt: now, isFinal }
    const undecided = answer.kind === 'nothing' ? answer.why : undefined
    return { receipt: now, undecided, running: answer.kind === 'running' ? answer.step : undefined, isFinal }
  }

  return async (receipt, { waitMs = 0, signal }) => {
    const until = clock.elapsed() + waitMs
    let found: Decided = { receipt }
    for (let isFirst = true; outcomeOf(found.receipt) === 'unknown'; isFirst = false) {
      const leftMs = until - clock.elapsed()
      if (!isFirst && (leftMs <= 0 || signal?.aborted)) break
      if (isOpenQuestion(found.receipt)) {
        const { isFinal, ...decided } = await ask(found.receipt, signal)
        found = decided
        if (isFinal) break
        if (leftMs > 0 && outcomeOf(found.receipt) === 'unknown') await pause(clock, Math.min(AGAIN_MS, leftMs), signal)
      } else if (leftMs > 0) {
        const { executionId } = found.receipt
        found = { receipt: (await whenOver(executionId, { withinMs: leftMs, leave: signal })) ?? found.receipt }
      }
    }
    return found
  }
}

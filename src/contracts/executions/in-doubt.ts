/** Whether a receipt leaves in doubt what has happened on its device. The receipt itself names the steps that may have run. */
import type { Receipt } from './receipt.ts'
import { isSafeToRepeat } from './step-answers.ts'

/**
 * True while the execution may still act, and where a step may have acted without proof. Where the receipt does not name
 * these steps, they are all that act, of its own or of `steps`; where nobody knows the steps, it is in doubt.
 */
export const isInDoubt = (
  { state, dispatchedAt, result, doubtfulSteps, actions }: Receipt,
  steps: readonly { type: string }[] | undefined = actions,
): boolean => {
  if (state !== 'settled' && state !== 'interrupted') return true
  if (doubtfulSteps) return doubtfulSteps.length > 0
  if (dispatchedAt === undefined || result?.ok) return false
  return steps === undefined || steps.some(({ type }) => !isSafeToRepeat(type))
}

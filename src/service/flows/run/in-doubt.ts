/** Finds what nobody can vouch for in an attempt: only without it may the flow begin anew by itself. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import { isReceiptInFlight, type Receipt } from '../../../contracts/executions/receipt.ts'
import type { Phones } from '../phones.ts'
import type { RecordedAttempt } from './command-log.ts'

/** True unless every step that acts is proven to have been done, or proven not to have been sent. */
export const mayHaveActed = (receipt: Receipt): boolean => {
  const { state, dispatchedAt, result, actions = [], doubtfulSteps = result?.ok ? [] : undefined } = receipt
  if (state === 'waiting' || isReceiptInFlight(state)) return true
  if (dispatchedAt === undefined) return false
  const typeOf = new Map(actions.map(({ id, type }) => [id, type]))
  return doubtfulSteps === undefined || doubtfulSteps.some(id => !onlyLooks(typeOf.get(id) ?? ''))
}

/** The first execution of the attempt that is in doubt. One whose host does not answer is. */
export const executionInDoubt = async (
  { commands }: Pick<RecordedAttempt, 'commands'>,
  phones: Pick<Phones, 'receipt'>,
): Promise<string | undefined> => {
  for (const executionId of commands.flatMap(({ executionIds }) => executionIds)) {
    try {
      const receipt = await phones.receipt(executionId)
      if (receipt && mayHaveActed(receipt)) return executionId
    } catch {
      return executionId
    }
  }
  return undefined
}

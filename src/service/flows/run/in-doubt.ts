/** Finds what nobody can vouch for in an attempt: only without it may the flow begin anew by itself. */
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import type { Phones } from '../phones.ts'
import type { RecordedAttempt } from './command-log.ts'

/** The first execution of the attempt that is in doubt. One whose host does not answer is. */
export const executionInDoubt = async (
  { commands }: Pick<RecordedAttempt, 'commands'>,
  phones: Pick<Phones, 'receipt'>,
): Promise<string | undefined> => {
  for (const executionId of commands.flatMap(({ executionIds }) => executionIds)) {
    try {
      const receipt = await phones.receipt(executionId)
      if (receipt && isInDoubt(receipt)) return executionId
    } catch {
      return executionId
    }
  }
  return undefined
}

/** What the receipts of a simulated world prove. */
import type { Journal } from '../../../src/runtime/journal/journal.ts'

/** Executions that have tapped, whatever became of the look after it. */
export const provenTaps = (journal: Journal): ReadonlySet<string> =>
  new Set(
    journal
      .receipts({ limit: 1_000 })
      // A list of them leaves the actions out.
      .flatMap(({ executionId }) => journal.receipt(executionId) ?? [])
      .filter(({ actions = [], executedSteps = [] }) =>
        actions.some(({ id, type }) => type === 'click' && executedSteps.includes(id)),
      )
      .map(({ executionId }) => executionId),
  )

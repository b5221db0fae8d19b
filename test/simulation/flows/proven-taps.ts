/** What the journal of a simulated world proves. */

import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { toldSteps } from '../../../src/service/executions/completed-steps.ts'

/** Executions that have tapped, whatever became of the look after it. */
export const provenTaps = (journal: Journal): ReadonlySet<string> =>
  new Set(
    journal.receipts({ limit: 1_000 }).flatMap(receipt => {
      const { actions = [], executedSteps = [] } = toldSteps(() => journal, receipt)
      const hasTapped = actions.some(({ id, type }) => type === 'click' && executedSteps.includes(id))
      return hasTapped ? [receipt.executionId] : []
    }),
  )

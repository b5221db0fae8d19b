/** Receipts as they were last recorded, where nothing can be written. */

import type { Journal } from '../../runtime/journal/journal.ts'
import { eachReceipt } from '../../runtime/journal/reading.ts'
import { endedEarly } from './cancel-requests.ts'
import type { Receipts } from './service.ts'

export const recordedReceipts = (journal: Journal): Receipts => ({
  receipt: async executionId => journal.receipt(executionId) ?? endedEarly(journal, executionId),
  decided: async receipt => ({ receipt }),
  receipts: async query => eachReceipt(journal, query),
})

/** The reason for which a journal refuses, or `none`; anything but a JournalError fails the test. */
import { JournalError, type JournalFault } from '../../../src/runtime/journal/fault.ts'

export const refusalOf = async (work: () => unknown): Promise<JournalFault | 'none'> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    if (error instanceof JournalError && error.code === 'JOURNAL_UNAVAILABLE') return error.reason
    throw error
  }
}

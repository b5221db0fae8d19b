/** Where the journal of a home is. */
import { join } from 'node:path'

export const journalPath = (home: string): string => join(home, 'journal', 'journal.db')

import { join } from 'node:path'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { temporary } from '../../support/temporary.ts'
import { journalSuite } from './suite.ts'

const folder = temporary('svc-journal-')
let opened = 0

journalSuite('the journal in SQLite', options =>
  openJournal({ ...options, path: join(folder(), `journal-${opened++}`, 'journal.db') }),
)

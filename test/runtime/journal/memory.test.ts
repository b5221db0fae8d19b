import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { journalSuite } from './suite.ts'

journalSuite('the journal in memory', memoryJournal)

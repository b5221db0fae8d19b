/** `svc journal export|repair`: export what is readable; replace a damaged journal. */
import { type Command, commandShape } from '../command.ts'

const exportCommand: Command = {
  path: ['journal', 'export'],
  shape: 'svc journal export --to <file>',
  text: async () => (await import('../journal/journal.ts')).exportedText,
  summary: 'write everything readable in the journal to a file',
  details:
    'One JSON object a line: records with their bodies, receipts, checkpoints. What SQLite cannot read of a damaged\n' +
    'journal is skipped and counted. Prints {exported, path, to, records, receipts, checkpoints, skipped}. The file must\n' +
    'not exist.',
  flags: [{ name: 'to', value: 'file', summary: 'the file to write' }],
  examples: ['svc journal export --to journal.jsonl'],
  run: async call => (await import('../journal/journal.ts')).exportTo(call, commandShape(exportCommand)),
}

const repair: Command = {
  path: ['journal', 'repair'],
  text: async () => (await import('../journal/journal.ts')).repairedText,
  summary: 'replace a damaged journal with a new one',
  details:
    'Checks every page and row, and that a record can be appended. If the journal is in order, nothing changes. If it is\n' +
    'damaged: exports what is readable, sets the damaged files aside (nothing is deleted), and starts a new journal that\n' +
    'continues above the old positions. Prints {repaired, ...}. End the processes that use the journal first. A\n' +
    'receiptsLost other than 0 (null: nobody can say how many) means that used Idempotency-Keys may run again.',
  examples: ['svc journal repair'],
  run: async call => (await import('../journal/journal.ts')).repair(call),
}

export const journal: readonly Command[] = [exportCommand, repair]

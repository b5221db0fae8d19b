/** `svc journal export|repair`: for a journal that is damaged, or wanted elsewhere. */
import type { Command } from '../command.ts'

const exportCommand: Command = {
  path: ['journal', 'export'],
  summary: 'write all that can be read of the journal to a file',
  details:
    'One JSON object a line: records with their bodies, receipts, checkpoints. A damaged journal is read as far as that\n' +
    'is possible. Prints {exported, path, to, records, receipts, checkpoints, skipped}. The file must be a new one.',
  flags: [{ name: 'to', value: 'file', summary: 'the file to write' }],
  examples: ['svc journal export --to journal.jsonl'],
  async run(call) {
    return (await (await call.heavy()).journal()).exportJournal(call)
  },
}

const repair: Command = {
  path: ['journal', 'repair'],
  summary: 'put a new journal in the place of a damaged one',
  details:
    'Reads the whole journal. One that is in order stays as it is. Of one that is damaged, all that can be read is\n' +
    'exported, its files are set aside, and a new one goes on above the old positions. Prints {repaired, ...}. Processes\n' +
    'that use the journal have to be ended first.',
  examples: ['svc journal repair'],
  async run(call) {
    return (await (await call.heavy()).journal()).repairJournal(call)
  },
}

export const journal: readonly Command[] = [exportCommand, repair]

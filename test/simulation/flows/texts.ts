/** All that is kept below a home and in its journal, as text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'

export interface KeptText {
  readonly where: string
  readonly text: string
}

export const homeTexts = (folder: string): KeptText[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [
        { where: path, text: readFileSync(path, 'latin1') },
        { where: path, text: readFileSync(path, 'utf8') },
        { where: 'the name of a file', text: path },
      ]
    })

export const journalTexts = (journal: Journal): KeptText[] => [
  ...[...recordsAfter(journal, 0, {})].map(record => ({
    where: `the record ${record.event.type} of ${record.actor}`,
    text: `${JSON.stringify(record)} ${JSON.stringify(journal.body(record) ?? null)}`,
  })),
  ...journal.receipts({ limit: 1_000 }).map(receipt => ({ where: 'a receipt', text: JSON.stringify(receipt) })),
]

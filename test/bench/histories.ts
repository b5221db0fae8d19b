/** One captured history of each machine, as the tests replay them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { MachineName } from '../../machines/catalogue.ts'
import type { JournalRecord } from '../../src/contracts/records/journal.ts'

interface Captured {
  machine: MachineName
  records: JournalRecord[]
}

/** The bundle runs from dist/dev, the tests from here. */
const folder = ['../runtime/histories/', '../runtime/histories/']
  .map(path => new URL(path, import.meta.url))
  .find(url => existsSync(url))

const all = folder
  ? readdirSync(folder).map(name => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Captured)
  : []

export const HISTORIES: Captured[] = [...new Map(all.map(captured => [captured.machine, captured])).values()]

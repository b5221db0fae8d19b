/** A new journal file, put in place whole: a process that opens the path finds all of the schema or no file. */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, copyFileSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits.ts'
import { LEAST_FENCE, type LeaseRow } from '../lease/sqlite.ts'
import { makeFolder } from '../make-folder.ts'
import { codeOf } from '../message-of.ts'
import { connect } from './connection.ts'
import { JournalError } from './fault.ts'
import { type Loss, lossOf } from './loss.ts'
import { asJournalError } from './refusals.ts'
import { SCHEMA } from './schema.ts'
import { seal } from './seal.ts'

export interface Beginning {
  /** Positions that an earlier file has used: the first record says so, and the next ones continue above. */
  loss?: Loss | undefined
  /** Grants of an earlier file: their holders may be alive, and their fences must go on growing. */
  leases?: readonly LeaseRow[]
  /** Not all grants of the earlier file are known: every fence from now on is above this one. */
  fencesAbove?: number
  /** When it begins: from then on it shows whether a holder renews its lease. */
  at?: number
  /** Statements that fill it further, before anybody sees it. */
  more?: Iterable<string>
}

const text = (value: string) => `CAST(x'${Buffer.from(value).toString('hex')}' AS TEXT)`
const blob = (value: Buffer | null) => (value ? `x'${value.toString('hex')}'` : 'NULL')

// libsql closes a file at once only if no statement was prepared on it, so all of this is plain SQL.
const contentOf = ({ loss, leases = [], fencesAbove = 0, at = 0 }: Beginning): string => {
  const rows = leases.map(
    ({ key, fence, fact }) =>
      `INSERT OR REPLACE INTO leases VALUES (${text(key)}, ${Math.max(fence, fencesAbove)}, ${blob(fact)}, ${at});`,
  )
  if (fencesAbove > 0) {
    rows.push(`INSERT OR IGNORE INTO leases VALUES (${text(LEAST_FENCE)}, ${fencesAbove}, NULL, NULL);`)
  }
  if (loss) {
    const { seq, fact } = lossOf(loss, 0)
    const { actor, n, machine } = fact
    rows.push(
      `INSERT INTO records (seq, actor, n, machine, at, digest, fact) VALUES (${seq}, ${text(actor)}, ${n}, ${text(machine)}, ${fact.at}, NULL, ${blob(seal(fact))});`,
      `INSERT INTO actors VALUES (${text(actor)}, ${text(machine)}, '[]');`,
    )
  }
  return rows.join('\n')
}

const build = (path: string, beginning: Beginning) => {
  closeSync(openSync(path, 'wx', STATE_FILE_MODE))
  const connection = connect(path)
  try {
    connection.exec(SCHEMA)
    connection.exec(contentOf(beginning))
    if (beginning.more) {
      connection.exec('BEGIN')
      for (const sql of beginning.more) connection.exec(sql)
      connection.exec('COMMIT')
    }
  } finally {
    connection.close()
  }
}

const makeDirectory = (directory: string) => {
  try {
    makeFolder(directory, HOME_MODE)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    throw new JournalError('not-openable', `${directory} is not a directory`, { cause: error })
  }
}

/** Leaves the file of a process that was first. */
const place = (draft: string, path: string) => {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    // A file system without links: then a copy, which does not overwrite either.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error) ?? '')) throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

const discard = (draft: string) => {
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true })
  } catch {
    // Nothing was made.
  }
}

/** `clear` removes the old files once the new file is complete: a full disk leaves everything as it was. */
export const createJournal = (path: string, beginning: Beginning = {}, clear: () => void = () => {}): void => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    makeDirectory(dirname(path))
    build(draft, beginning)
    clear()
    place(draft, path)
  } catch (error) {
    throw asJournalError(error)
  } finally {
    discard(draft)
  }
}

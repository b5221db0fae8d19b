/** A fresh journal in the place of a damaged one, which is kept beside it. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import { leaseRows } from '../lease/sqlite.ts'
import type { Connection } from './connection.ts'
import { createJournal } from './create.ts'
import { markPath, readMark } from './mark.ts'
import { openForReading } from './open.ts'
import { asJournalError } from './refusals.ts'
import { knownSeq } from './scan.ts'

export interface StartAnewOptions {
  path: string
  clock: Clock
}

export interface StartedAnew {
  /** Where the files of the old journal are now. */
  aside: string[]
  /** The highest position known to have been used: the new journal continues above it. */
  after: number
}

const fromOld = <T>(path: string, read: (connection: Connection) => T, otherwise: T): T => {
  try {
    const connection = openForReading(path)
    try {
      return read(connection)
    } finally {
      connection.close()
    }
  } catch {
    return otherwise
  }
}

/** To be called when no other process uses the journal: one that does goes on writing to the files set aside. */
export const startAnew = ({ path, clock }: StartAnewOptions): StartedAnew => {
  const leases = fromOld(path, leaseRows, [])
  const after = fromOld(path, old => knownSeq(old, path), readMark(path)?.seq ?? 0)
  const at = clock.now()
  const aside: string[] = []
  const setAside = (file: string) => {
    if (!existsSync(file)) return
    const kept = `${file}.damaged-${at}`
    renameSync(file, kept)
    aside.push(kept)
  }
  try {
    // Never the database before its WAL and index: a new one put in its place meanwhile would be read through them.
    rmSync(`${path}-shm`, { force: true })
    setAside(`${path}-wal`)
    setAside(path)
    setAside(markPath(path))
  } catch (error) {
    throw asJournalError(error)
  }
  createJournal(path, { leases, loss: after > 0 ? { from: 1, to: after, at } : undefined })
  return { aside, after }
}

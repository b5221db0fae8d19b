/** Sets the files of a damaged journal aside and starts a new one, which continues its positions and fences. */
import { lstatSync, renameSync, type Stats, statSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import { type LeaseRow, leaseRows } from '../lease/sqlite.ts'
import { insertsOf, receiptsIn } from './carry.ts'
import { refuseDamagedPages } from './check.ts'
import type { Connection } from './connection.ts'
import { createJournal } from './create.ts'
import { GIVE_UP, lastKey, lastSeq } from './export.ts'
import type { JournalError } from './fault.ts'
import { markPath, readMark } from './mark.ts'
import { openDamaged, openForReading } from './open.ts'
import { asJournalError } from './refusals.ts'
import { fromReadable } from './salvage.ts'
import { unseal } from './seal.ts'

export interface ReplaceOptions {
  path: string
  clock: Clock
}

export interface Replaced {
  /** The new paths of the files of the old journal. */
  aside: string[]
  /** The new journal continues above this position. */
  after: number
  /** Receipts that the new journal has, with their results and their keys. */
  receipts: number
  /** Rows of receipts of which not even the Idempotency-Key could be read. Null if nobody can say how many. */
  receiptsLost: number | null
}

/** The WAL before the database: a new database put in place meanwhile would be read through the old WAL. */
const filesOf = (path: string) => [`${path}-shm`, `${path}-wal`, path, markPath(path)]

const statOf = (stat: (file: string) => Stats, file: string): Stats | undefined => {
  try {
    return stat(file)
  } catch {
    return undefined
  }
}

const sizeOf = (file: string): number => statOf(statSync, file)?.size ?? 0

/** A directory, a device or a link that leads nowhere, where a file of the journal belongs. */
const isObstacle = (file: string) => statOf(lstatSync, file) !== undefined && !statOf(statSync, file)?.isFile()

/** True when a new journal is the remedy: other faults pass, or have to be fixed outside the journal. */
export const isRepairable = (path: string, { reason }: JournalError): boolean =>
  reason === 'corrupt' || reason === 'truncated' || filesOf(path).some(isObstacle)

const setAside = (files: readonly string[], at: number): string[] => {
  try {
    return files
      .filter(file => statOf(lstatSync, file) !== undefined)
      .map(file => {
        const aside = `${file}.damaged-${at}`
        renameSync(file, aside)
        return aside
      })
  } catch (error) {
    throw asJournalError(error)
  }
}

/** Renames anything beside the database that is not a file: without it the journal may turn out to be in order. */
export const setObstaclesAside = ({ path, clock }: ReplaceOptions): string[] =>
  setAside(
    filesOf(path).filter(file => file !== path && isObstacle(file)),
    clock.now(),
  )

const reading = <T>(open: () => Connection, read: (connection: Connection) => T): T | undefined => {
  try {
    const connection = open()
    try {
      return read(connection)
    } finally {
      connection.close()
    }
  } catch {
    return undefined
  }
}

/** A whole journal that has all that its mark names; then its positions and fences are known exactly. */
const wholeSeq = (path: string): number | undefined =>
  reading(
    () => openForReading(path),
    connection => {
      refuseDamagedPages(connection)
      const seq = connection.number('SELECT max(seq) FROM records')
      return seq >= (readMark(path)?.seq ?? 0) ? seq : undefined
    },
  )

/** The newest records came with receipts: where they are missing, so are those, and no index names them. */
const hasTail = (old: Connection, path: string): boolean => {
  const marked = readMark(path)?.seq
  const told = lastKey(old, 'records', 'seq', 'records_position')
  return marked !== undefined && told !== undefined && told >= marked
}

const isSealed = (fact: Buffer) => {
  try {
    unseal(fact)
    return true
  } catch {
    return false
  }
}

const usableRow = ({ key, fence, fact }: LeaseRow): LeaseRow[] =>
  Number.isSafeInteger(fence) && fence > 0 ? [{ key, fence, fact: fact && isSealed(fact) ? fact : null }] : []

/** To be called when no other process uses the journal: one that does goes on writing to the files set aside. */
export const replaceJournal = (options: ReplaceOptions): Replaced =>
  fromReadable(options.path, readable => replaceBy(readable, options))

const replaceBy = (readable: string, { path, clock }: ReplaceOptions): Replaced => {
  const at = clock.now()
  const isThere = filesOf(path).some(file => statOf(lstatSync, file) !== undefined)
  const whole = wholeSeq(path)
  const leases = reading(() => openDamaged(readable), leaseRows)?.flatMap(usableRow) ?? []
  // No journal counts as fast as the clock: where nothing tells what was used, its milliseconds are above it.
  const known =
    whole ??
    reading(
      () => openDamaged(readable),
      old => lastSeq(old, path),
    ) ??
    readMark(path)?.seq
  const after = known ?? (isThere ? at : 0)
  const carried = reading(
    () => openDamaged(readable),
    old => {
      const { rows, lost } = receiptsIn(old, after || GIVE_UP)
      // Nobody knows what an empty file held beside its log.
      return { rows, lost: sizeOf(path) > 0 && hasTail(old, path) ? lost : null }
    },
  ) ?? { rows: [], lost: after > 0 ? null : 0 }
  const beginning = {
    at,
    leases,
    fencesAbove: whole === undefined && isThere ? at : 0,
    loss:
      after > 0 ? { from: 1, to: after, at, ...(carried.lost === 0 ? {} : { keys: 'unknown' as const }) } : undefined,
  }
  let aside: string[] = []
  createJournal(path, { ...beginning, more: insertsOf(carried, at) }, () => {
    aside = setAside(filesOf(path), at)
  })
  return { aside, after, receipts: carried.rows.length, receiptsLost: carried.lost }
}

/** A journal is opened as far as this build knows it, and every refusal says what is in its way. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { isRepairable, replaceJournal, setObstaclesAside } from '../../../src/runtime/journal/repair.ts'
import { SCHEMA_VERSION, SCHEMA_VERSION_MAX } from '../../../src/runtime/journal/schema.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { tamper } from '../../support/runtime/damage.ts'
import { leaseOf, recordOf } from '../../support/runtime/records.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-open-')
const clock = manualClock()
let made = 0

const place = () => join(folder(), `${made++}`, 'journal.db')
const open = (path: string, readOnly = false) => openJournal({ path, clock, alive: () => true, readOnly })
const refusal = (path: string, readOnly = false): JournalError => {
  try {
    open(path, readOnly).close()
  } catch (error) {
    if (error instanceof JournalError) return error
    throw error
  }
  throw new Error(`${path} was opened`)
}

const kept = async () => {
  const path = place()
  const journal = open(path)
  await journal.append(recordOf('a', 0))
  journal.close()
  return path
}
const versionOf = (path: string) => {
  const database = new Database(path)
  const [version] = database.prepare('PRAGMA user_version').raw().get() as number[]
  database.close()
  return version
}

describe('a journal of a newer version', () => {
  test('is read where its tables are known, and never written', async () => {
    const path = await kept()
    tamper(path, `ALTER TABLE records ADD COLUMN more TEXT; PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    const journal = open(path, true)
    expect(journal.records()).toMatchObject([{ actor: 'a', n: 0 }])
    journal.close()
    const { reason, message } = refusal(path)
    expect(reason).toBe('newer-schema')
    expect(message).toContain(`schema ${SCHEMA_VERSION + 1}; this svc knows schema ${SCHEMA_VERSION}`)
    expect(versionOf(path)).toBe(SCHEMA_VERSION + 1)
  })

  test('is not read where they are not, and is not taken for damaged', async () => {
    const path = await kept()
    tamper(path, `ALTER TABLE receipts RENAME COLUMN fact TO facts; PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    for (const readOnly of [true, false]) {
      const error = refusal(path, readOnly)
      expect(error.reason).toBe('newer-schema')
      expect(isRepairable(path, error)).toBe(false)
    }
  })
})

test.each([0, SCHEMA_VERSION_MAX + 1])('a file whose header says schema %i is damaged', async version => {
  const path = await kept()
  tamper(path, `PRAGMA user_version = ${version}`)
  for (const readOnly of [true, false]) {
    const error = refusal(path, readOnly)
    expect(error.reason).toBe('corrupt')
    expect(isRepairable(path, error)).toBe(true)
  }
})

test('a database of something else is no journal, whatever version it says', () => {
  const path = place()
  mkdirSync(dirname(path))
  tamper(path, `CREATE TABLE songs (name TEXT); PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
  expect([refusal(path).reason, refusal(path, true).reason]).toEqual(['corrupt', 'corrupt'])
})

describe('what is in the way is named', () => {
  test('no file to read, a folder in its place, and a path below a file', async () => {
    const absent = place()
    expect(refusal(absent, true)).toMatchObject({ reason: 'not-openable', message: expect.stringContaining(absent) })
    expect(existsSync(dirname(absent)), 'reading makes nothing').toBe(false)
    const taken = place()
    mkdirSync(taken, { recursive: true })
    for (const readOnly of [true, false])
      expect(refusal(taken, readOnly)).toMatchObject({ reason: 'not-openable', message: `${taken} is not a file` })
    const below = join(await kept(), 'journal.db')
    expect(refusal(below).message).toContain(`${dirname(below)} is not a directory`)
  })

  test('a log without its file, as a copy without the file leaves it', () => {
    const copy = place()
    mkdirSync(dirname(copy))
    writeFileSync(`${copy}-wal`, 'x')
    expect(refusal(copy)).toMatchObject({
      reason: 'truncated',
      message: expect.stringContaining('write-ahead log exists'),
    })
    expect(isRepairable(copy, refusal(copy))).toBe(true)
  })
})

describe('a thing that is no file where one of the journal belongs', () => {
  test.each<[string, (path: string) => void]>([
    ['a folder', path => mkdirSync(path)],
    ['a link to nowhere', path => symlinkSync(`${path}-absent`, path)],
  ])('%s is put aside, and the journal behind it is as it was', async (_, block) => {
    const path = await kept()
    tamper(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
    rmSync(`${path}-wal`, { force: true })
    block(`${path}-wal`)
    expect(isRepairable(path, new JournalError('not-openable', 'x'))).toBe(true)
    const aside = setObstaclesAside({ path, clock })
    expect(aside).toEqual([`${path}-wal.damaged-${clock.now()}`])
    expect(setObstaclesAside({ path, clock })).toEqual([])
    const journal = open(path)
    expect(journal.records()).toHaveLength(1)
    journal.close()
  })

  test('where the file itself is none, a new journal takes its place, above all that was used', async () => {
    const path = place()
    mkdirSync(path, { recursive: true })
    expect(isRepairable(path, refusal(path))).toBe(true)
    expect(setObstaclesAside({ path, clock }), 'the file is put aside with its journal alone').toEqual([])
    const { aside, receipts, receiptsLost, after } = replaceJournal({ path, clock })
    expect(aside).toEqual([`${path}.damaged-${clock.now()}`])
    expect({ receipts, receiptsLost, after }).toEqual({ receipts: 0, receiptsLost: null, after: clock.now() })
    const journal = open(path)
    expect((await journal.append(recordOf('a', 0))).seq).toBeGreaterThan(after)
    const { lease } = await journal.leases.acquire(leaseOf(1))
    expect(lease.fence, 'no grant of the lost one is newer').toBeGreaterThan(clock.now())
    journal.close()
  })

  test('a fault outside of the journal is none of those that a new one repairs', async () => {
    const path = await kept()
    for (const reason of ['full', 'busy', 'read-only', 'newer-schema'] as const)
      expect(isRepairable(path, new JournalError(reason, 'x'))).toBe(false)
  })
})

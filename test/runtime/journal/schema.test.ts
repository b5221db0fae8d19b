/** Journals as earlier builds made them: they are opened, brought up to this schema, read whole and written on. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { BODY_INLINE_BYTES } from '../../../src/contracts/limits/limits.ts'
import { createTroubles } from '../../../src/runtime/background-failures.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { checkJournal } from '../../../src/runtime/journal/check.ts'
import { exportJournal } from '../../../src/runtime/journal/export.ts'
import { toFact } from '../../../src/runtime/journal/records.ts'
import { SCHEMA_VERSION } from '../../../src/runtime/journal/schema.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { pack, seal } from '../../../src/runtime/journal/stored-json.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { leaseOf, receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-schema-')
const clock = systemClock()

/** What each schema added to the first. */
const SINCE_2 = { records: ', listener TEXT', receipts: ', key TEXT' }
const tables = ({ records, receipts }: typeof SINCE_2) => `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  CREATE TABLE records (seq INTEGER PRIMARY KEY, actor TEXT NOT NULL, n INTEGER NOT NULL, machine TEXT NOT NULL,
    at INTEGER NOT NULL, digest TEXT, fact BLOB NOT NULL${records});
  CREATE UNIQUE INDEX records_position ON records (actor, n);
  CREATE INDEX records_digest ON records (digest) WHERE digest IS NOT NULL;
  CREATE TABLE actors (actor TEXT PRIMARY KEY, machine TEXT NOT NULL, tags TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE checkpoints (actor TEXT PRIMARY KEY, n INTEGER NOT NULL, fact BLOB NOT NULL);
  CREATE TABLE bodies (digest TEXT PRIMARY KEY, json BLOB NOT NULL);
  CREATE TABLE receipts (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, device TEXT NOT NULL, command TEXT NOT NULL,
    skill_run TEXT, settled INTEGER NOT NULL, at INTEGER NOT NULL, digest TEXT, fact BLOB NOT NULL${receipts});
  CREATE INDEX receipts_device ON receipts (device);
  CREATE INDEX receipts_command ON receipts (command);
  CREATE INDEX receipts_skill_run ON receipts (skill_run) WHERE skill_run IS NOT NULL;
  CREATE INDEX receipts_digest ON receipts (digest) WHERE digest IS NOT NULL;
  CREATE TABLE leases (key TEXT PRIMARY KEY, fence INTEGER NOT NULL, fact BLOB) WITHOUT ROWID;
`
const EARLIER = [
  { version: 1, sql: tables({ records: '', receipts: '' }) },
  {
    version: 2,
    sql: `${tables(SINCE_2)}
      CREATE INDEX records_listener ON records (listener, seq) WHERE listener IS NOT NULL;
      CREATE INDEX receipts_key ON receipts (key) WHERE key IS NOT NULL;`,
  },
]

test('a process that runs while a newer version brings the journal up writes nothing more, and says so', async () => {
  const path = join(folder(), 'newer', 'journal.db')
  const told = manualClock()
  const troubles = createTroubles({ clock: told, note: () => {} })
  const journal = openJournal({ path, alive: () => true, clock: told, troubles })
  await journal.append(recordOf('a', 0))
  const newer = new Database(path)
  newer.exec(`ALTER TABLE leases ADD COLUMN more TEXT; PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
  newer.close()
  const refused = await journal.append(recordOf('a', 1)).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', reason: 'newer-schema' })
  expect(String(refused)).toContain('A newer svc')
  expect(await refusalOf(() => journal.leases.acquire(leaseOf(1)))).toBe('newer-schema')
  expect(
    journal.records().map(({ n }) => n),
    'it can still be read',
  ).toEqual([0])
  const { times = 0 } = troubles.list()[0] ?? {}
  told.advance(1_000)
  expect(troubles.list(), 'a process that writes nothing notices as well').toMatchObject([
    { what: 'the journal cannot be written by this process', times: times + 1 },
  ])
  journal.close()
})

const result = resultOf('of the earlier build')
const body = { of: 'the earlier build' }
const receipt = receiptOf('e1', { state: 'settled' })

/** One record and one receipt, each with its small body kept apart, as it was done then. */
const made = ({ version, sql }: (typeof EARLIER)[number]): string => {
  const path = join(folder(), `${version}-${clock.elapsed()}`, 'journal.db')
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path)
  database.exec(sql)
  const [sent, answered] = [pack(body), pack(result)]
  for (const packed of [sent, answered])
    database.prepare('INSERT INTO bodies VALUES (?, ?)').run([packed?.digest, packed?.json])
  const fact = toFact(recordOf('device:a', 0), sent?.digest ?? null)
  database
    .prepare('INSERT INTO records (actor, n, machine, at, digest, fact) VALUES (?, ?, ?, ?, ?, ?)')
    .run([fact.actor, fact.n, fact.machine, fact.at, fact.digest, seal(fact)])
  database.exec("INSERT INTO actors VALUES ('device:a', 'device', '[]')")
  database
    .prepare('INSERT INTO receipts (id, device, command, settled, at, digest, fact) VALUES (?, ?, ?, 1, ?, ?, ?)')
    .run(['e1', receipt.deviceId, receipt.commandId, 1_000, answered?.digest, seal(receipt)])
  database.exec(`PRAGMA user_version = ${version}`)
  database.close()
  return path
}

test.each(EARLIER)('a journal of schema $version goes on', async earlier => {
  const path = made(earlier)
  const journal = openJournal({ path, alive: () => false, clock })
  const [first] = journal.records()
  expect(first && journal.body(first)).toEqual(body)
  expect(journal.receipt('e1')).toEqual({ ...receipt, result })

  const large = { text: 'x'.repeat(BODY_INLINE_BYTES) }
  const next = await journal.append(recordOf('device:a', 1, { body }), { receipt: receiptOf('e2') })
  const last = await journal.append(recordOf('device:a', 2, { body: large }), {
    receipt: receiptOf('e1', { state: 'settled', result: resultOf('again') }),
  })
  expect([next.seq, journal.body(next), journal.body(last)]).toEqual([2, body, large])
  expect(journal.receipt('e1')?.result).toEqual(resultOf('again'))
  journal.close()
  expect(checkJournal({ path, clock }).seq).toBe(3)
  const database = new Database(path)
  expect(database.prepare('PRAGMA user_version').raw().get()).toEqual([SCHEMA_VERSION])
  database.close()
})

test.each(EARLIER)('a journal of schema $version is read and exported as it is', earlier => {
  const path = made(earlier)
  const journal = openJournal({ path, alive: () => false, clock, readOnly: true })
  const [first] = journal.records()
  expect(first && journal.body(first)).toEqual(body)
  expect(journal.receipt('e1')?.result).toEqual(result)
  journal.close()
  expect(exportJournal({ path, to: `${path}.jsonl` })).toEqual({ records: 1, receipts: 1, checkpoints: 0, skipped: 0 })
})

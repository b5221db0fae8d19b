/** Journal files that were changed on the disk: what is read of them was once written, or is refused. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../src/runtime/clock.ts'
import { exportJournal } from '../../../src/runtime/journal/export.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { markPath } from '../../../src/runtime/journal/mark.ts'
import { replaceJournal } from '../../../src/runtime/journal/repair.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutatePieces } from '../mutate/pieces.ts'
import { expectThat, type OpenTarget, refusedBy, type Target } from '../target.ts'

const RECORDS = 150
const EDIT_BYTES = 6
const TAKEN_BYTES_MAX = 40 * EDIT_BYTES

const clock = systemClock()
const openAt = (path: string, readOnly = false) => openJournal({ path, alive: () => false, clock, readOnly })

const write = async (path: string): Promise<void> => {
  const journal = openAt(path)
  for (let n = 0; n < RECORDS; n++) {
    const receipt = receiptOf(`e${n}`, { state: 'settled', result: resultOf('x'.repeat(n * 20)) })
    await journal.append(recordOf(`actor${n % 5}`, Math.floor(n / 5)), n % 4 === 0 ? { receipt } : {})
  }
  await journal.saveCheckpoint({ actor: 'actor1', n: 5, seq: 26, version: 1, snapshot: { value: 'idle' } })
  journal.finishWal()
  journal.close()
}

/** A kind, a place as a part of the file, and a value: the file itself is too large to be an input. */
const edit = (input: Buffer, at: number) => ({
  kind: input.readUInt8(at) % 4,
  place: input.readUInt32LE(at + 1) / 2 ** 32,
  value: input.readUInt8(at + 5),
})

const PAGE_BYTES = 4_096

const damage = (path: string, input: Buffer): void => {
  const taken = input.subarray(0, TAKEN_BYTES_MAX)
  for (let at = 0; at + EDIT_BYTES <= taken.length; at += EDIT_BYTES) {
    const { kind, place, value } = edit(taken, at)
    const file = [path, path, `${path}-wal`, markPath(path)][kind] ?? path
    if (!existsSync(file)) continue
    const bytes = readFileSync(file)
    const offset = Math.floor(place * bytes.length)
    if (kind === 1 && value < 8) truncateSync(file, offset)
    else if (kind === 1 && value < 16) {
      bytes.fill(value, offset, Math.min(offset + PAGE_BYTES, bytes.length))
      writeFileSync(file, bytes)
    } else if (bytes.length > 0) {
      bytes[offset] = value
      writeFileSync(file, bytes)
    }
  }
}

const faultsIn = (path: string): boolean => {
  const readings = refusedBy(JournalError, () => {
    const journal = openAt(path, true)
    const readings = [
      refusedBy(JournalError, () => journal.records({ limit: 1_000 })),
      refusedBy(JournalError, () => journal.records({ limit: 1_000, passesDamage: true })),
      refusedBy(JournalError, () =>
        ['actor0', 'actor1'].map(actor => [journal.last(actor), journal.checkpoint(actor)]),
      ),
      refusedBy(JournalError, () => journal.actors()),
      refusedBy(JournalError, () => journal.receipts({ limit: 1_000 })),
      refusedBy(JournalError, () => journal.leases.list()),
    ]
    for (const { event, actor } of (readings[0] as
      | readonly { event: { type: string; n?: number }; actor: string }[]
      | undefined) ?? [])
      expectThat(
        event.type === 'journal.lost' ||
          (event.type === 'thing.happened' && /^actor[0-4]$/.test(actor) && Number(event.n) < RECORDS),
        `a record that nobody wrote: ${JSON.stringify(event)}`,
      )
    journal.close()
    return readings
  })
  return readings === undefined || readings.includes(undefined)
}

const open = async (): Promise<OpenTarget> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-journal-'))
  const whole = join(folder, 'whole')
  mkdirSync(whole)
  await write(join(whole, 'journal.db'))
  let count = 0
  return {
    async read(input) {
      const home = join(folder, `copy-${count++}`)
      cpSync(whole, home, { recursive: true })
      const path = join(home, 'journal.db')
      damage(path, input)
      const hasFaults = faultsIn(path)
      refusedBy(JournalError, () => exportJournal({ path, to: join(home, 'export') }))
      const appended = await (async () => {
        try {
          const journal = openAt(path)
          const n = (journal.last('new')?.n ?? -1) + 1
          await journal.append(recordOf('new', n)).finally(() => journal.close())
          return true
        } catch (error) {
          if (error instanceof JournalError) return false
          throw error
        }
      })()
      if (!appended) {
        refusedBy(JournalError, () => replaceJournal({ path, clock }))
      }
      rmSync(home, { recursive: true, force: true })
      return appended && !hasFaults ? 'accepted' : 'refused'
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const editOf = (kind: number, place: number, value: number): Buffer => {
  const bytes = Buffer.alloc(EDIT_BYTES)
  bytes.writeUInt8(kind, 0)
  bytes.writeUInt32LE(Math.floor(place * 2 ** 32), 1)
  bytes.writeUInt8(value, 5)
  return bytes
}

const edits = mutatePieces({
  cut: input =>
    Array.from({ length: Math.floor(input.length / EDIT_BYTES) }, (_, at) =>
      input.subarray(at * EDIT_BYTES, (at + 1) * EDIT_BYTES),
    ),
  join: pieces =>
    Buffer.concat(pieces.map(piece => Buffer.concat([piece, Buffer.alloc(EDIT_BYTES)]).subarray(0, EDIT_BYTES))),
  inner: (_, { random }) =>
    editOf(random.int(0, 3), random.chance(0.2) ? random.next() / 500 : random.next(), random.int(0, 255)),
})

export const journals: Target = {
  name: 'journals',
  seeds: [
    '',
    editOf(0, 0.5, 255),
    editOf(1, 0.5, 1),
    editOf(1, 0.3, 9),
    editOf(2, 0.5, 1),
    editOf(3, 0.5, 57),
    editOf(0, 0.0005, 3),
  ],
  mutate: oneOf(edits, edits, edits, mutateBytes),
  bytesMax: TAKEN_BYTES_MAX,
  // A reading gives up after so many unreadable rows, and each costs an error of SQLite.
  msMax: 10_000,
  open,
}

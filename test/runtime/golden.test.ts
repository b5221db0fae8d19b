/** Journals that builds of svc have left, one of each schema and of each version of the events: today's build goes on with them. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, type MachineName } from '../../machines/catalogue.ts'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { foldActor, foldRecords, statePath } from '../../src/runtime/fold.ts'
import { createHost } from '../../src/runtime/host.ts'
import { checkJournal } from '../../src/runtime/journal/check.ts'
import { exportJournal } from '../../src/runtime/journal/export.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { eachReceipt, recordsAfter } from '../../src/runtime/journal/reading.ts'
import { SCHEMA_VERSION } from '../../src/runtime/journal/schema.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { silentPorts } from '../support/adb/silent-ports.ts'
import { GOLDEN, goldenTold, placeGolden } from '../support/runtime/golden.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-golden-')
const placed = (name: string, purpose: string) => placeGolden(name, join(folder(), `${name}-${purpose}`))
const clock = systemClock()

const isMachine = (machine: string): machine is MachineName => Object.hasOwn(CATALOGUE, machine)
const definitionOf = (machine: string): Definition | undefined => (isMachine(machine) ? CATALOGUE[machine] : undefined)
const allRecords = (journal: Journal) => [...recordsAfter(journal, 0, {})]
const actorsOf = (journal: Journal) =>
  journal.actors().flatMap(({ actor, machine }) => {
    const definition = definitionOf(machine)
    return definition ? [{ actor, machine, definition }] : []
  })

const interruptedHost = (journal: Journal) =>
  createHost({
    journal,
    clock,
    definitions: CATALOGUE,
    ports: Object.fromEntries(Object.entries(CATALOGUE).map(([name, { logic }]) => [name, silentPorts(logic)])),
    holder: { pid: process.pid, started: 'golden', instance: 'golden' },
  })

test('there is a journal of every schema that builds have written, and every version of every event', () => {
  const schemas = new Set(GOLDEN.map(name => goldenTold(name).schema))
  expect([...schemas].sort()).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1))
  const versions = new Set<number>()
  for (const name of GOLDEN) {
    const journal = openJournal({ path: placed(name, 'versions'), alive: () => false, clock, readOnly: true })
    for (const { machine, version } of allRecords(journal)) if (machine === 'device') versions.add(version)
    journal.close()
  }
  expect([...versions].sort()).toEqual(Array.from({ length: CATALOGUE.device.version }, (_, index) => index + 1))
})

describe.each(GOLDEN)('%s', name => {
  const told = goldenTold(name)

  test('is read as it is, without a write: receipts and actors are what its own build told', () => {
    const path = placed(name, 'read')
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(told.sha256)
    const journal = openJournal({ path, alive: () => false, clock, readOnly: true })
    const receipts = new Map([...eachReceipt(journal, { limit: 1_000 })].map(receipt => [receipt.executionId, receipt]))
    // Both are worked out when a receipt is read.
    for (const { executionId, host: _, outcome: __, ...receipt } of told.executions) {
      expect(receipts.get(executionId)).toMatchObject(receipt)
    }
    for (const { id, machine, state } of told.actors) {
      expect(journal.last(id)).toMatchObject({ machine, to: state })
    }
    const { records } = exportJournal({ path, to: `${path}.jsonl` })
    expect(records).toBe(allRecords(journal).length)
    journal.close()
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(told.sha256)
  })

  test('folds to the state that every record was written with', () => {
    const journal = openJournal({ path: placed(name, 'fold'), alive: () => false, clock, readOnly: true })
    const actors = actorsOf(journal)
    expect(actors.length).toBeGreaterThan(3)
    for (const { actor, definition } of actors) {
      let folded = foldRecords(definition, [])
      for (const record of journal.records({ actor, limit: 10_000 })) {
        folded = foldRecords(definition, [record], folded)
        expect(folded.snapshot && statePath(folded.snapshot.value), `${actor} ${record.n} ${record.event.type}`).toBe(
          record.to,
        )
        expect([...(folded.snapshot?.tags ?? [])].sort(), `${actor} ${record.n}`).toEqual([...record.tags].sort())
      }
    }
    journal.close()
  })

  test('is brought up to this schema with all that it holds, and settled: replay equals live', async () => {
    const path = placed(name, 'settled')
    const before = openJournal({ path, alive: () => false, clock, readOnly: true })
    const had = { records: allRecords(before), inFlight: before.withTag(IN_FLIGHT).map(({ actor }) => actor) }
    const bodies = had.records.map(record => before.body(record))
    before.close()

    const journal = openJournal({ path, alive: ({ pid }) => pid === process.pid, clock })
    expect(allRecords(journal)).toEqual(had.records)
    expect(had.records.map(record => journal.body(record))).toEqual(bodies)
    expect(journal.leases.list().map(({ key, fence }) => ({ key, fence }))).toEqual(
      told.leases.filter(({ held }) => held).map(({ key, fence }) => ({ key, fence })),
    )
    const host = interruptedHost(journal)
    expect((await host.recover()).sort()).toEqual(had.inFlight.sort())
    expect(had.inFlight).toContainEqual(expect.stringMatching(/^device:/))
    for (const { actor, definition } of actorsOf(journal)) {
      const { snapshot } = foldActor(definition, journal, actor)
      const last = journal.last(actor)
      expect(snapshot && statePath(snapshot.value), actor).toBe(last?.to)
      expect(last?.tags).not.toContain(IN_FLIGHT)
    }
    const open = journal
      .receipts({ limit: 1_000 })
      .filter(({ state }) => state === 'accepted' || state === 'dispatched')
    expect(open).toEqual([])
    const left = journal.receipts({ commandId: 'left' })[0]
    expect(left).toMatchObject({ state: 'interrupted' })

    // Fences go on growing, and the histories go on.
    const [lease] = told.leases
    const key = lease?.key ?? ''
    const holder = { pid: process.pid, started: 'golden', instance: 'golden' }
    const taken = await journal.leases.acquire({ key, holder, since: clock.now(), note: {} })
    expect(taken).toMatchObject({ granted: true, lease: { key, fence: (lease?.fence ?? 0) + 1 } })
    await host.stop({ graceMs: 0 })
    journal.close()
    expect(checkJournal({ path, clock }).seq).toBe(had.records.length + had.inFlight.length)
  })
})

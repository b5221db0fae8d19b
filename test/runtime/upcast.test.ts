/** Histories of earlier versions stay readable: each release's captured ones are replayed here. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, type MachineName } from '../../machines/catalogue.ts'
import type { Definition } from '../../machines/definition.ts'
import type { JournalRecord } from '../../src/contracts/records/journal.ts'
import { foldActor, foldRecords, statePath, upcast } from '../../src/runtime/fold.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { manualClock } from '../support/manual-clock.ts'

const folder = new URL('./histories/', import.meta.url)

interface Captured {
  machine: MachineName
  records: JournalRecord[]
  /** The state that each record led to when it was written. */
  states: string[]
}

describe('captured histories', () => {
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))

  test('there is one of every machine', async () => {
    const machines = names.map(name => (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Captured).machine)
    expect([...new Set(machines)].sort()).toEqual(Object.keys(CATALOGUE).sort())
  })

  test.each(names)('%s folds to the states it was written with', name => {
    const { machine, records, states } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Captured
    const reached = records.map((_, index) => {
      const { snapshot } = foldRecords(CATALOGUE[machine], records.slice(0, index + 1))
      return snapshot ? statePath(snapshot.value) : ''
    })
    expect(reached).toEqual(states)
  })
})

describe('upcasting', () => {
  const record = (version: number, event: JournalRecord['event']): JournalRecord => ({
    seq: 1,
    actor: 'a',
    n: 0,
    machine: 'device',
    version,
    at: 1,
    event,
    digest: null,
    from: '',
    to: '',
    tags: [],
  })
  const definition: Definition = {
    ...CATALOGUE.device,
    version: 3,
    upcast: {
      1: event => ({ ...event, type: event.type.replace('job.', 'execution.') }),
      2: event => ({ ...event, commandId: event.commandId ?? event.command }),
    },
  }

  test('applies each step from the record’s version on', async () => {
    expect(upcast(definition, record(1, { type: 'job.requested', command: 'c' }))).toMatchObject({
      type: 'execution.requested',
      commandId: 'c',
    })
    expect(upcast(definition, record(2, { type: 'job.requested', command: 'c' }))).toMatchObject({
      type: 'job.requested',
    })
    expect(upcast(definition, record(3, { type: 'x', command: 'c' }))).toEqual({ type: 'x', command: 'c' })
  })

  test('a checkpoint of another version is passed over while the whole history is there, and used once it is not', async () => {
    const clock = manualClock()
    const journal = memoryJournal({ alive: () => true, clock })
    const append = (n: number, event: JournalRecord['event']) =>
      journal.append({
        actor: 'a',
        n,
        machine: 'device',
        version: 3,
        at: clock.now(),
        event,
        from: '',
        to: '',
        tags: [],
      })
    append(0, { type: 'actor.created', input: { serial: 'from-records' } })
    append(1, { type: 'deadline.passed', at: 1 })
    await journal.saveCheckpoint({
      actor: 'a',
      n: 1,
      seq: 1,
      version: 2,
      snapshot: { value: 'idle', context: { serial: 'from-checkpoint', current: null }, status: 'active' },
    })
    expect(foldActor(definition, journal, 'a').snapshot?.context).toMatchObject({ serial: 'from-records' })
    clock.advance(1_000)
    await journal.prune({ maxAgeMs: 1, maxBytes: Number.MAX_SAFE_INTEGER, now: clock.now() })
    expect(journal.records({ actor: 'a' }).map(({ n }) => n)).toEqual([1])
    expect(foldActor(definition, journal, 'a').snapshot?.context).toMatchObject({ serial: 'from-checkpoint' })
  })
})

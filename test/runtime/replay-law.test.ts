/** The replay law: for any history of any machine and every prefix of it, folding the journal equals the live snapshot. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, type MachineName } from '../../machines/catalogue.ts'
import type { Definition } from '../../machines/definition.ts'
import { foldActor, foldRecords } from '../../src/runtime/fold.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { openActor } from '../../src/runtime/live-actor.ts'
import { type AnyEvent, eventOf, everyEvent } from '../support/arbitrary-event.ts'
import { manualClock } from '../support/manual-clock.ts'
import { silentPorts } from '../support/silent-ports.ts'

const RUNS = 60

const visible = (snapshot: {
  value: unknown
  context: unknown
  status: string
  tags: Set<string>
  children: object
}) => ({
  value: snapshot.value,
  context: snapshot.context,
  status: snapshot.status,
  tags: [...snapshot.tags],
  children: Object.keys(snapshot.children),
})

const unowned = { lease: () => undefined, wanted: () => undefined, granted: () => {}, released: () => {} }

const live = (machine: MachineName) => {
  const clock = manualClock(1)
  const journal = memoryJournal({ alive: () => true, clock })
  const definition: Definition = CATALOGUE[machine]
  const broken: unknown[] = []
  const actor = openActor({
    id: 'a',
    machine,
    definition,
    input: { serial: 'a', key: 'a', avdName: 'a', requestId: 'a', runId: 'a', commandId: 'a' },
    journal,
    ports: silentPorts(definition.logic),
    now: clock.now,
    owner: unowned,
    onEmitted: () => {},
    onStep: () => {},
    onBroken: error => broken.push(error),
  })
  return { journal, definition, actor, broken, clock }
}

/** Sends an event; says whether the machine took it. A finished actor ignores what comes. */
const send = (actor: ReturnType<typeof live>['actor'], event: AnyEvent): void => {
  try {
    actor.send(event)
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
  }
}

describe.each(Object.keys(CATALOGUE) as MachineName[])('%s', machine => {
  // Enumerated events reach deep states that evenly drawn ones seldom do, so histories mix both.
  const events = fc.array(fc.oneof(eventOf(machine), fc.constantFrom(...everyEvent(machine))), { maxLength: 40 })

  test('fold equals live after every event', () => {
    fc.assert(
      fc.property(events, history => {
        const { journal, definition, actor, broken } = live(machine)
        for (const event of history) {
          send(actor, event)
          const folded = foldActor(definition, journal, 'a')
          expect(visible(folded.snapshot as never)).toEqual(visible(actor.snapshot()))
          expect(visible(actor.shadow())).toEqual(visible(actor.snapshot()))
        }
        expect(broken).toEqual([])
        actor.stop()
      }),
      { numRuns: RUNS },
    )
  })

  test('folding in two parts, through JSON, equals folding at once', () => {
    fc.assert(
      fc.property(events, fc.nat(40), (history, cut) => {
        const { journal, definition, actor } = live(machine)
        for (const event of history) send(actor, event)
        const records = JSON.parse(JSON.stringify(journal.records({ actor: 'a' }))) as ReturnType<
          typeof journal.records
        >
        const parts = foldRecords(definition, records.slice(cut), foldRecords(definition, records.slice(0, cut)))
        expect(visible(parts.snapshot as never)).toEqual(visible(actor.snapshot()))
        actor.stop()
      }),
      { numRuns: RUNS },
    )
  })

  test('opening again at any point runs nothing twice and is at rest or settled', () => {
    fc.assert(
      fc.property(events, history => {
        const { journal, definition, actor, clock } = live(machine)
        for (const event of history) send(actor, event)
        const wasInFlight = actor.isInFlight()
        const head = journal.head()
        actor.stop()
        const started: string[] = []
        const again = openActor({
          id: 'a',
          machine,
          definition,
          input: undefined,
          journal,
          ports: silentPorts(definition.logic, name => started.push(name)),
          now: clock.now,
          owner: unowned,
          onEmitted: () => {},
          onStep: () => {},
          onBroken: () => {},
        })
        expect(started).toEqual([])
        expect(again.isInFlight()).toBe(false)
        expect(journal.head() - head).toBe(wasInFlight ? 1 : 0)
        again.stop()
      }),
      { numRuns: RUNS },
    )
  })
})

/** The replay law: for any history of any machine and every prefix of it, folding the journal equals the live snapshot. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, type MachineName } from '../../machines/catalogue.ts'
import type { Definition } from '../../machines/definition.ts'
import { createEventTimes } from '../../src/runtime/clock.ts'
import { foldActor, foldRecords } from '../../src/runtime/fold.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { openActor } from '../../src/runtime/live-actor.ts'
import { silentPorts } from '../support/adb/silent-ports.ts'
import { manualClock } from '../support/manual-clock.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { type AnyEvent, eventOf, everyEvent } from '../support/runtime/arbitrary-event.ts'

const RUNS = propertyRuns(60)

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

const wanted = { key: 'a', holder: { pid: 1, started: 's', instance: 'i' }, since: 1, note: {} }

const live = async (machine: MachineName) => {
  const clock = manualClock(1)
  const journal = memoryJournal({ alive: () => true, clock })
  const definition: Definition = CATALOGUE[machine]
  const broken: unknown[] = []
  const options = {
    id: 'a',
    machine,
    definition,
    input: { serial: 'a', key: 'a', avdName: 'a', requestId: 'a', runId: 'a', commandId: 'a' },
    journal,
    ports: silentPorts(definition.logic),
    moments: createEventTimes(clock),
    bootId: () => 'boot',
    onEmitted: () => {},
    onStep: () => {},
    onBroken: (error: unknown) => void broken.push(error),
  }
  const actor = await openActor(options, wanted)
  return { journal, definition, actor, broken, clock }
}

/** Sends an event; says whether the machine took it. A finished actor ignores what comes. */
const send = async (actor: Awaited<ReturnType<typeof live>>['actor'], event: AnyEvent): Promise<void> => {
  try {
    await actor.send(event, wanted)
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
  }
}

describe.each(Object.keys(CATALOGUE) as MachineName[])('%s', machine => {
  // Enumerated events reach deep states that evenly drawn ones seldom do, so histories mix both.
  const events = fc.array(fc.oneof(eventOf(machine), fc.constantFrom(...everyEvent(machine))), { maxLength: 40 })

  test('fold equals live after every event', async () => {
    await fc.assert(
      fc.asyncProperty(events, async history => {
        const { journal, definition, actor, broken } = await live(machine)
        for (const event of history) {
          await send(actor, event)
          const folded = foldActor(definition, journal, 'a')
          expect(visible(folded.snapshot as never)).toEqual(visible(actor.snapshot()))
        }
        expect(broken).toEqual([])
        actor.stop()
      }),
      { numRuns: RUNS },
    )
  })

  test('folding in two parts, through JSON, equals folding at once', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(40), async (history, cut) => {
        const { journal, definition, actor } = await live(machine)
        for (const event of history) await send(actor, event)
        const records = JSON.parse(JSON.stringify(journal.records({ actor: 'a' }))) as ReturnType<
          typeof journal.records
        >
        // An actor that took no event has no history.
        if (records.length === 0) return
        const parts = foldRecords(definition, records.slice(cut), foldRecords(definition, records.slice(0, cut)))
        expect(visible(parts.snapshot as never)).toEqual(visible(actor.snapshot()))
        actor.stop()
      }),
      { numRuns: RUNS },
    )
  })

  test('opening again at any point runs nothing twice and is at rest or settled', async () => {
    await fc.assert(
      fc.asyncProperty(events, async history => {
        const { journal, definition, actor, clock } = await live(machine)
        for (const event of history) await send(actor, event)
        const wasInFlight = actor.isInFlight()
        const head = journal.head()
        actor.stop()
        const started: string[] = []
        const again = await openActor(
          {
            id: 'a',
            machine,
            definition,
            input: undefined,
            journal,
            ports: silentPorts(definition.logic, name => started.push(name)),
            moments: createEventTimes(clock),
            bootId: () => 'boot',
            onEmitted: () => {},
            onStep: () => {},
            onBroken: () => {},
          },
          { ...wanted, replaces: ({ fence }) => fence === actor.lease()?.fence },
        )
        expect(started).toEqual([])
        expect(again.isInFlight()).toBe(false)
        expect(journal.head() - head).toBe(wasInFlight ? 1 : 0)
        again.stop()
      }),
      { numRuns: RUNS },
    )
  })
})

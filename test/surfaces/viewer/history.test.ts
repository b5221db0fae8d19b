/** Time travel: at every moment the page knows what the runtime's own fold of the same records knows. */
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { foldActor, foldRecords } from '../../../src/runtime/fold.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { createHistory } from '../../../src/surfaces/viewer/actors/history.ts'
import { tagsOf } from '../../../src/surfaces/viewer/live.ts'
import { recordDevice } from '../../support/executions/device-history.ts'
import { recordUpgradedDevice } from '../../support/executions/upgraded-device.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { until } from '../../support/until.ts'

let records: JournalRecord[]
beforeAll(async () => {
  const journal = memoryJournal({ alive: () => true, clock: systemClock() })
  await recordDevice(journal, 'a', 250)
  records = journal.records({ actor: 'device:a' })
})

const contextAt = (index: number) => foldRecords(CATALOGUE.device, records.slice(0, index + 1)).snapshot?.context

const contextBefore = (journal: Journal, n: number) =>
  foldActor(CATALOGUE.device, journal, 'device:a', n).snapshot?.context

describe('a history', () => {
  test('of pages that arrive one by one is folded to the same at any moment, in any order', async () => {
    const history = createHistory('device:a', 'device')
    for (let at = 0; at < records.length; at += 200) history.add(records.slice(at, at + 200))
    await until(() => history.folded.value === records.length, 'the records to be folded')
    const indexes = fc.array(fc.nat(records.length - 1), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(indexes, chosen => {
        for (const index of chosen) expect(history.snapshotAt(index)?.context).toEqual(contextAt(index))
      }),
      { numRuns: propertyRuns(20) },
    )
  })

  test('that begins with a checkpoint goes on from there, and knows nothing of what was before', async () => {
    const [first, last] = [300, 320]
    const { snapshot } = foldRecords(CATALOGUE.device, records.slice(0, first + 4))
    const persisted = CATALOGUE.device.logic.getPersistedSnapshot(snapshot as never)
    const history = createHistory('device:a', 'device')
    const { version } = CATALOGUE.device
    const start = { n: first + 4, seq: first + 4, version, snapshot: JSON.parse(JSON.stringify(persisted)) }
    history.add(records.slice(first, last), start)
    await until(() => history.folded.value === last - first, 'the records to be folded')
    expect(history.snapshotAt(0)).toBeUndefined()
    for (const index of [4, 10, 19]) {
      expect(history.snapshotAt(index)?.context).toEqual(contextAt(first + index))
    }
  })

  test('that begins with a checkpoint of an older version shows the states that the runtime knows', async () => {
    const journal = memoryJournal({ alive: () => true, clock: systemClock() })
    const { n, seq, version, snapshot } = await recordUpgradedDevice(journal, 'a')
    const kept = journal.records({ actor: 'device:a' })
    expect(kept[0]?.n).toBeGreaterThan(0)
    const history = createHistory('device:a', 'device')
    history.add(kept, { n, seq, version, snapshot })
    await until(() => history.folded.value === kept.length, 'the records to be folded')
    for (const [index, record] of kept.entries()) {
      if (record.n < n - 1) expect(history.snapshotAt(index)).toBeUndefined()
      else expect(history.snapshotAt(index)?.context).toEqual(contextBefore(journal, record.n + 1))
    }
    expect(contextBefore(journal, (kept.at(-1)?.n ?? 0) + 1)).toMatchObject({ serial: 'a' })
  })

  test('finds the newest record that is not newer than a link', () => {
    const history = createHistory('device:a', 'device')
    history.add(records.filter(({ seq }) => seq % 2 === 1))
    expect([history.indexOf(0), history.indexOf(1), history.indexOf(4), history.indexOf(1e9)]).toEqual([-1, 0, 1, 375])
  })
})

test('tags of a state are those of all states around it', () => {
  expect(tagsOf('device', 'running.dispatched')).toEqual(['in-flight'])
  expect(tagsOf('device', 'idle')).toEqual([])
  expect(tagsOf('unknown', 'idle')).toEqual([])
})

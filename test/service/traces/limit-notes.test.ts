/** Where the viewer shows less than there is, it says so and says where the rest is. */
import { beforeEach, describe, expect, test } from 'vitest'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { summaries } from '../../../src/service/traces/summary.ts'
import { traceOfExecution, traceOfRun } from '../../../src/service/traces/trace.ts'
import { viewedActors } from '../../../src/service/traces/viewed-actors.ts'
import { drawingLimitNote, listLimitNote } from '../../../src/surfaces/viewer/limit-notes.ts'
import { creationOf, cycleOf, recordDevice } from '../../support/executions/device-history.ts'
import { receiptOf, recordOf } from '../../support/runtime/records.ts'

let journal: Journal
beforeEach(() => {
  journal = memoryJournal({ alive: () => true, clock: systemClock() })
})

describe('a list of executions', () => {
  const listed = (limit: number, query: object, most: number) => {
    const found = summaries(journal, { limit, ...query }, { most })
    const ids: string[] = []
    for (;;) {
      const { done, value } = found.next()
      if (done) return { ids, ...value, said: listLimitNote({ count: ids.length, ...value }, most) }
      ids.push(value.executionId)
    }
  }
  beforeEach(async () => {
    for (let n = 0; n < 5; n++) {
      const receipt = receiptOf(`${n}`, { state: n === 0 ? 'interrupted' : 'settled', acceptedAt: 1_000 + n })
      await journal.append(recordOf('device:d1', n), { receipt })
    }
  })

  test('names how many the filters were compared with when there are older ones', () => {
    const { ids, searched, older, said } = listed(10, { state: 'interrupted' }, 3)
    expect([ids, searched, older]).toEqual([[], 3, true])
    expect(said).toContain('the newest 3 executions')
    expect(said).toContain('filter by device or skill run')
  })

  test('says nothing when all were looked at, or when more of the list can be asked for', () => {
    expect(listed(10, { state: 'interrupted' }, 5)).toMatchObject({ ids: ['0'], older: false, said: undefined })
    expect(listed(2, {}, 5)).toMatchObject({ ids: ['4', '3'], older: true, said: undefined })
  })

  test('says that it is the longest one', () => {
    expect(listed(3, {}, 3).said).toContain('The newest 3 matches are shown')
  })
})

test('a list of actors says whether there are older ones', async () => {
  for (const serial of ['a', 'b', 'c']) await journal.append(creationOf(serial, 1_000))
  expect(viewedActors(journal, 3)).toMatchObject({ actors: [{}, {}, {}], older: false })
  const { actors, older } = viewedActors(journal, 2)
  expect([actors.map(({ id }) => id), older]).toEqual([['device:c', 'device:b'], true])
})

describe('a trace', () => {
  test('of an execution with more records than it holds', async () => {
    await recordDevice(journal, 'a', 1)
    const receipt = receiptOf('a-execution-0', { deviceId: 'a', acceptedAt: 1_700_000_001_000 })
    const whole = traceOfExecution(journal, receipt, 3)
    expect([whole.records.length, whole.omitted]).toEqual([3, undefined])
    const { records, omitted } = traceOfExecution(journal, receipt, 2)
    expect(records.map(({ to }) => to)).toEqual(['running.accepted', 'running.dispatched'])
    expect(omitted).toEqual([
      'The trace holds the first 2 records of this execution. svc journal export --to <file> writes all of them.',
    ])
  })

  test('of a run with more records and executions than it holds still says how the run ended', async () => {
    const run = { machine: 'skill-run', tags: ['in-flight'] }
    const place = 'skill-run:r'
    await journal.append(recordOf(place, 0, { ...run, to: 'requested' }))
    for (let n = 1; n < 30; n++) await journal.append(recordOf(place, n, { ...run, from: 'running', to: 'running' }))
    const exited = { type: 'child.exited', exitCode: 3 }
    await journal.append(recordOf(place, 30, { ...run, event: exited, from: 'running', to: 'failed', tags: [] }))
    for (let index = 0; index < 3; index++) {
      const executionId = `a-execution-${index}`
      const acceptedAt = 1_700_000_000_000 + index * 1_000
      const receipt = receiptOf(executionId, { deviceId: 'a', acceptedAt, skillRunId: 'r' })
      if (index === 0) await journal.append(creationOf('a', acceptedAt))
      for (const record of cycleOf('a', index, acceptedAt)) await journal.append(record, { receipt })
    }
    expect(traceOfRun(journal, 'r', 31)?.omitted).toBeUndefined()
    const trace = traceOfRun(journal, 'r', 2)
    expect(trace?.records.length).toBe(2)
    expect(trace?.executions.map(({ executionId }) => executionId)).toEqual(['a-execution-1', 'a-execution-2'])
    expect(trace?.run).toMatchObject({ state: 'failed', exitCode: 3 })
    expect(trace?.omitted?.map(sentence => sentence.split('.')[0])).toEqual([
      'The trace holds the first 2 records of this skill run',
      'The trace holds the newest 2 executions of this skill run',
      'Of each execution, the trace holds the first 2 records; 2 have more',
    ])
  })
})

test('a drawing says how many nodes it leaves out', () => {
  const nodes = '<node class="a.B" bounds="[0,0][10,10]" />'.repeat(4)
  const parsed = parseHierarchy(`<hierarchy rotation="0">${nodes}</hierarchy>`)
  if (!parsed.ok) throw new Error(parsed.problem)
  expect(drawingLimitNote(parsed.tree, 4)).toBeUndefined()
  expect(drawingLimitNote(parsed.tree, 3)).toMatch(/first 3 of 4 nodes\. .*take_screenshot/)
})

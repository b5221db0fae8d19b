/** The stream of a listener in the journal: what a process that died owed its listeners, the next one tells. */
import { describe, expect, test } from 'vitest'
import type { HttpDeps } from '../../src/http/deps.ts'
import { createOutcomes, type Outcomes } from '../../src/http/outcomes.ts'
import { resultText } from '../../src/http/result-text.ts'
import { type Ids, systemIds } from '../../src/runtime/ids.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import type { StoredReceipt } from '../../src/runtime/journal/journal.ts'
import { fakeExecutions } from '../support/fake-executions.ts'
import { readEvents } from '../support/http-client.ts'
import { fakeDeps, listen } from '../support/http-server.ts'
import { receiptOf, resultOf } from '../support/records.ts'

const interrupted = (executionId: string, dispatched: boolean): StoredReceipt => {
  const error = { code: 'EXECUTION_INTERRUPTED', message: 'The host ended.', details: { executionId, dispatched } }
  return receiptOf(executionId, { state: 'interrupted', settledAt: 5, result: { ok: false, error } })
}

interface Bench {
  deps: HttpDeps
  notes: string[]
  receipts: StoredReceipt[]
  /** A process that begins where the last one ended. */
  start(ids?: Ids): Outcomes
  /** The events of the stream, as records of the journal. */
  types(): string[]
}

const bench = (): Bench => {
  const notes: string[] = []
  const executions = fakeExecutions()
  const deps = fakeDeps(executions, { note: text => void notes.push(text) })
  return {
    deps,
    notes,
    receipts: executions.kept,
    start: (ids = systemIds()) => {
      const outcomes = createOutcomes(deps, ids)
      outcomes.resume()
      return outcomes
    },
    types: () => deps.journal.records({ actor: deps.listener }).map(({ event }) => event.type),
  }
}

/** What a reader who was there from the beginning is told by the present process. */
const toldBy = async (deps: HttpDeps) => {
  const server = await listen(deps)
  const reader = await readEvents(`${server.url}/events`, { 'Last-Event-ID': '0.1' })
  const count = deps.journal.records({ actor: deps.listener }).filter(({ event }) => event.type === 'outcome.recorded')
  await reader.have(1 + count.length)
  await server.server.close({ graceMs: 0 })
  return reader.events.slice(1)
}

const failed = resultOf('too late')
const told = (executionId: string, more: object = {}) => ({
  deviceId: 'd1',
  executionId,
  input: { commandId: 'c' },
  result: failed,
  text: resultText(failed),
  ...more,
})

describe('a process that died', () => {
  test('in mid-execution: the next tells that it was interrupted, with what was sent', async () => {
    const { deps, receipts, start, types } = bench()
    const first = start()
    const taken = first.take({ commandId: 'c', actions: ['x'] })
    receipts.push(interrupted(taken.executionId, true))
    start()
    expect(types()).toEqual(['execution.taken', 'outcome.recorded'])
    const [event] = await toldBy(deps)
    expect(event?.event).toBe('svc:execution')
    expect(event?.data).toMatchObject({
      deviceId: 'd1',
      input: { commandId: 'c', actions: ['x'] },
      result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    })
    start()
    expect(types()).toHaveLength(2)
  })

  test('after the execution had settled, before it was told', async () => {
    const { receipts, start, types } = bench()
    const taken = start().take({})
    receipts.push(receiptOf(taken.executionId, { state: 'settled', result: failed }))
    start()
    expect(types()).toEqual(['execution.taken', 'outcome.recorded'])
  })

  test('before the execution was accepted: there is nothing to tell', () => {
    const { start, types } = bench()
    start().take({})
    start()
    start()
    expect(types()).toEqual(['execution.taken', 'execution.dropped'])
  })

  test('what runs on elsewhere is not told here', () => {
    const { receipts, start, types } = bench()
    const taken = start().take({})
    receipts.push(receiptOf(taken.executionId, { state: 'dispatched' }))
    start()
    expect(types()).toEqual(['execution.taken', 'execution.dropped'])
  })

  test('owes nothing for what it had told or dropped', () => {
    const { receipts, start, types } = bench()
    const first = start()
    const [one, two] = [first.take({}), first.take({})]
    receipts.push(interrupted(one.executionId, true), interrupted(two.executionId, true))
    first.tell(told(one.executionId), one)
    first.drop(two)
    start()
    expect(types()).toEqual(['execution.taken', 'execution.taken', 'outcome.recorded', 'execution.dropped'])
  })

  test('several, in the order in which they were taken', async () => {
    const { deps, receipts, start } = bench()
    const first = start()
    const taken = [1, 2, 3].map(n => first.take({ n }))
    for (const { executionId } of taken) receipts.push(interrupted(executionId, false))
    start()
    expect((await toldBy(deps)).map(({ data }) => (data as { input: unknown }).input)).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ])
  })
})

describe('checkpoints', () => {
  test('come now and then, keep what is open, and let retention take the rest', async () => {
    const { deps, receipts, start, types } = bench()
    const first = start()
    const open = first.take({ open: true })
    for (let index = 0; index < 400; index++) {
      const taken = first.take({ index })
      first.tell(told(taken.executionId), taken)
    }
    const checkpoint = deps.journal.checkpoint(deps.listener)
    expect(checkpoint?.n).toBeGreaterThanOrEqual(500)
    receipts.push(interrupted(open.executionId, true))
    start()
    expect(types().filter(type => type === 'outcome.recorded')).toHaveLength(401)
    expect((await toldBy(deps)).at(-1)?.data).toMatchObject({ input: { open: true } })
    const before = types().length
    deps.journal.prune({ maxAgeMs: -1, maxBytes: 1e9, now: deps.clock.now() + 10 })
    expect(types().length).toBeLessThan(before - 400)
    start().take({})
    expect(types().at(-1)).toBe('execution.taken')
  })

  test('come for many short-lived processes too', () => {
    const { deps, start } = bench()
    for (let process = 0; process < 30; process++) {
      const outcomes = start()
      for (let index = 0; index < 10; index++) {
        const taken = outcomes.take({})
        outcomes.tell(told(taken.executionId), taken)
      }
    }
    expect(deps.journal.checkpoint(deps.listener)?.n).toBeGreaterThanOrEqual(500)
  })
})

describe('the journal', () => {
  test('keeps the result of an accepted success in its receipt alone', () => {
    const { deps, start } = bench()
    const outcomes = start()
    const result = {
      ok: true as const,
      deviceId: 'd1',
      terminalSource: 'svc_result' as const,
      envelope: { commandId: 'c', taskId: 't', status: 'success' as const, stepResults: [], error: null },
    }
    const taken = outcomes.take({})
    outcomes.tell(told(taken.executionId, { result, text: resultText(result) }), taken)
    const [record] = deps.journal.records({ actor: deps.listener, fromN: 1 })
    expect(deps.journal.body(record?.digest ?? '')).toEqual({ input: { commandId: 'c' } })
    expect(JSON.stringify(record?.event).length).toBeLessThan(300)
  })

  test('that fails is noted, and nothing is thrown', () => {
    const { deps, notes, start } = bench()
    const outcomes = start()
    const { append } = deps.journal
    deps.journal.append = () => {
      throw new JournalError('full', 'no room')
    }
    const taken = outcomes.take({})
    expect(taken).toMatchObject({ executionId: expect.any(String), n: undefined })
    outcomes.tell(told(taken.executionId), taken)
    outcomes.drop(taken)
    expect(notes).toHaveLength(2)
    deps.journal.append = append
    outcomes.tell(told(taken.executionId), taken)
    expect(notes).toHaveLength(2)
  })

  test('that cannot be read at start is noted, and the server starts', () => {
    const { deps, notes, start } = bench()
    start().take({})
    const { records } = deps.journal
    deps.journal.records = () => {
      throw new JournalError('corrupt', 'damaged')
    }
    start()
    expect(notes.join()).toContain('damaged')
    deps.journal.records = records
  })

  test('an outcome whose receipt retention has taken is passed by', async () => {
    const { deps, start } = bench()
    const outcomes = start()
    const result = {
      ok: true as const,
      deviceId: 'd1',
      terminalSource: 'svc_result' as const,
      envelope: { commandId: 'c', taskId: 't', status: 'success' as const, stepResults: [], error: null },
    }
    outcomes.tell(told('gone', { result, text: resultText(result) }))
    outcomes.tell(told('e2'))
    const server = await listen(deps)
    const reader = await readEvents(`${server.url}/events`, { 'Last-Event-ID': '0.1' })
    await reader.have(2)
    expect(reader.events[1]?.data).toMatchObject({ result: failed })
    await server.server.close({ graceMs: 0 })
  })
})

test('the text of a result is its JSON, and its envelope is cut from it', () => {
  const result = {
    ok: true as const,
    deviceId: 'a"b',
    terminalSource: 'svc_result' as const,
    envelope: { commandId: 'c', taskId: 't', status: 'success' as const, stepResults: [], error: null },
  }
  const text = resultText(result)
  expect(JSON.parse(text.json)).toEqual(result)
  expect(JSON.parse(text.envelope ?? '')).toEqual(result.envelope)
  expect(text.json).toContain(text.envelope)
  expect(JSON.parse(resultText(failed).json)).toEqual(failed)
})

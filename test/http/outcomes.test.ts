/** The stream of a listener in the journal: what a process that died owed its listeners, the next one tells. */
import { describe, expect, test } from 'vitest'
import type { HttpDeps } from '../../src/http/deps.ts'
import { createOutcomes, type Outcomes } from '../../src/http/outcomes.ts'
import { resultText } from '../../src/http/result-text.ts'
import { systemIds } from '../../src/runtime/ids.ts'
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

interface Process extends Outcomes {
  die(): void
}

interface Bench {
  deps: HttpDeps
  notes: string[]
  receipts: StoredReceipt[]
  /** A process that listens under the same name; it begins when its first caller is there. */
  start(): Process
  /** The events of the stream, as records of the journal. */
  types(): string[]
}

const bench = (): Bench => {
  const notes: string[] = []
  const executions = fakeExecutions()
  const deps = fakeDeps(executions, { note: text => void notes.push(text) })
  const living = new Set<number>()
  let pids = 0
  return {
    deps,
    notes,
    receipts: executions.kept,
    start: () => {
      const self = { pid: ++pids, started: 'then' }
      living.add(self.pid)
      const outcomes = createOutcomes({ deps, ids: systemIds(), self, alive: ({ pid }) => living.has(pid) })
      return { ...outcomes, die: () => void living.delete(self.pid) }
    },
    types: () => deps.journal.records({ actor: deps.listener }).map(({ event }) => event.type),
  }
}

/** The first caller of a process: what was owed is told then. */
const begin = (outcomes: Outcomes) => outcomes.tell({ ...told('none'), executionId: undefined })

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
    first.die()
    begin(start())
    expect(types()).toEqual(['execution.taken', 'outcome.recorded', 'outcome.recorded'])
    const [event] = await toldBy(deps)
    expect(event?.event).toBe('svc:execution')
    expect(event?.data).toMatchObject({
      deviceId: 'd1',
      input: { commandId: 'c', actions: ['x'] },
      result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    })
    begin(start())
    expect(types()).toHaveLength(4)
  })

  test('after the execution had settled, before it was told', () => {
    const { receipts, start, types } = bench()
    const first = start()
    const taken = first.take({})
    receipts.push(receiptOf(taken.executionId, { state: 'settled', result: failed }))
    first.die()
    begin(start())
    expect(types()).toEqual(['execution.taken', 'outcome.recorded', 'outcome.recorded'])
  })

  test('before the execution was accepted: there is nothing to tell', () => {
    const { start, types } = bench()
    const first = start()
    first.take({})
    first.die()
    begin(start())
    begin(start())
    expect(types().slice(0, 2)).toEqual(['execution.taken', 'execution.dropped'])
    expect(types().filter(type => type === 'execution.dropped')).toHaveLength(1)
  })

  test('owes nothing for what it had told or dropped', () => {
    const { receipts, start, types } = bench()
    const first = start()
    const [one, two] = [first.take({}), first.take({})]
    receipts.push(interrupted(one.executionId, true), interrupted(two.executionId, true))
    first.tell(told(one.executionId), one)
    first.drop(two)
    first.die()
    begin(start())
    expect(types()).toEqual([
      'execution.taken',
      'execution.taken',
      'outcome.recorded',
      'execution.dropped',
      'outcome.recorded',
    ])
  })

  test('several, in the order in which they were taken', async () => {
    const { deps, receipts, start } = bench()
    const first = start()
    const taken = [1, 2, 3].map(n => first.take({ n }))
    for (const { executionId } of taken) receipts.push(interrupted(executionId, false))
    first.die()
    begin(start())
    const inputs = (await toldBy(deps)).map(({ data }) => (data as { input: unknown }).input)
    expect(inputs.slice(0, 3)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })
})

describe('a process that lives', () => {
  test('tells what it took itself, whoever else listens under its name', () => {
    const { receipts, start, types } = bench()
    const first = start()
    const taken = first.take({})
    receipts.push(receiptOf(taken.executionId, { state: 'settled', result: failed }))
    const second = start()
    begin(second)
    expect(types()).toEqual(['execution.taken', 'outcome.recorded'])
    first.tell(told(taken.executionId), taken)
    expect(types()).toHaveLength(3)
    first.die()
    second.die()
    begin(start())
    expect(types()).toHaveLength(4)
  })

  test('is not answered for twice, though a checkpoint of another process lies in between', () => {
    const { deps, receipts, start, types } = bench()
    const first = start()
    const taken = first.take({ slow: true })
    const second = start()
    begin(second)
    receipts.push(receiptOf(taken.executionId, { state: 'settled', result: failed }))
    first.tell(told(taken.executionId), taken)
    for (let index = 0; index < 300; index++) {
      const own = second.take({})
      second.tell(told(own.executionId), own)
    }
    expect(deps.journal.checkpoint(deps.listener)).toMatchObject({ snapshot: { open: [] } })
    first.die()
    second.die()
    const before = types().length
    begin(start())
    expect(types()).toHaveLength(before + 1)
  })

  test('touches nothing before its first caller is there', () => {
    const { receipts, start, types } = bench()
    const first = start()
    const taken = first.take({})
    receipts.push(interrupted(taken.executionId, true))
    first.die()
    start()
    expect(types()).toEqual(['execution.taken'])
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
    first.die()
    begin(start())
    expect(types().filter(type => type === 'outcome.recorded')).toHaveLength(402)
    expect((await toldBy(deps)).at(-2)?.data).toMatchObject({ input: { open: true } })
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
    const second = start()
    const taken = second.take({})
    expect(taken.executionId).not.toBe('')
    expect(notes.join()).toContain('damaged')
    deps.journal.records = records
    second.tell(told(taken.executionId), taken)
    expect(second.take({}).n).toBeGreaterThan(0)
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

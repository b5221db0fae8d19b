/** Rows of executions: titles from their requests, what is in doubt, and the screens of the executions beside one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionSummary } from '../../../src/contracts/doors/viewer.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Journal, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { screenAfter, screenBefore } from '../../../src/service/traces/neighbour-screens.ts'
import { createTitles, summaries, summaryOf } from '../../../src/service/traces/summary.ts'
import { viewedActors } from '../../../src/service/traces/viewed-actors.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'

const NONE = () => undefined

test('only what was sent and has no envelope is in doubt', () => {
  const doubtOf = (more: Partial<StoredReceipt>) => summaryOf(receiptOf('1', more), NONE).inDoubt
  const result = resultOf('no answer came')
  expect(doubtOf({ state: 'interrupted', dispatchedAt: 2, result })).toBe(true)
  expect(doubtOf({ state: 'settled', dispatchedAt: 2, result })).toBe(true)
  expect(doubtOf({ state: 'interrupted', result })).toBeUndefined()
  expect(doubtOf({ state: 'dispatched', dispatchedAt: 2 })).toBeUndefined()
})

test('what became known later is in doubt no more, and is no failure where it was done', () => {
  const sent = { state: 'interrupted', dispatchedAt: 2, result: resultOf('no answer came') } as const
  const rowOf = (evidence: StoredReceipt['evidence']) =>
    summaryOf(receiptOf('1', { ...sent, ...(evidence && { evidence }) }), NONE)
  const told = { source: 'operator', at: 5 } as const
  expect(rowOf({ ...told, outcome: 'done' })).toMatchObject({ code: 'success' })
  expect(rowOf({ ...told, outcome: 'done' }).inDoubt).toBeUndefined()
  expect(rowOf({ ...told, outcome: 'not_sent' }).inDoubt).toBeUndefined()
  expect(rowOf(told).inDoubt).toBe(true)
})

test('a request that waits has no title, because its payload is not in the journal', async () => {
  const journal = memoryJournal({ alive: () => true, clock: systemClock() })
  const receipt = receiptOf('1', { state: 'waiting', accepted: false })
  await journal.append(recordOf('device:d1', 0), { receipt })
  const [row] = [...summaries(journal, { limit: 5, state: 'waiting' })] as ExecutionSummary[]
  expect(row).toMatchObject({ executionId: '1', state: 'waiting' })
  expect(row).not.toHaveProperty('title')
})

describe('executions of a device', () => {
  let lab: Lab
  const SNAPSHOT = [{ id: 'seen', type: 'snapshot' }]
  const CLICK = [{ id: 'click', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } }]
  beforeAll(async () => {
    lab = await startLab()
  })
  afterAll(() => lab.close())
  const journal = () => lab.services.journal()
  const run = async (actions: readonly unknown[]): Promise<StoredReceipt> => {
    const { executionId = '' } = await lab.execute(actions)
    const receipt = journal().receipt(executionId)
    if (!receipt) throw new Error('there is no receipt')
    return receipt
  }

  test('are titled by their requests, also among many, and a title is looked for once', async () => {
    const receipts: StoredReceipt[] = []
    for (const actions of [CLICK, SNAPSHOT, CLICK]) receipts.push(await run(actions))
    let reads = 0
    const titleFor = createTitles(() => {
      reads += 1
      return journal()
    })
    const titles = () => receipts.map(receipt => titleFor(receipt))
    expect(titles()).toEqual(['Click “Wi-Fi”', 'Take a snapshot', 'Click “Wi-Fi”'])
    expect(titles()).toEqual(['Click “Wi-Fi”', 'Take a snapshot', 'Click “Wi-Fi”'])
    expect(reads).toBe(3)
  })

  test('a wait whose end nobody saw is in no doubt, and a click is', async () => {
    const WAIT = [{ id: 'wait', type: 'wait_for_node', params: { matcher: { textEquals: 'Wi-Fi' }, timeoutMs: 1_000 } }]
    const inDoubt = async (actions: readonly unknown[]) => {
      const lost = { state: 'interrupted', result: resultOf('Its host died.') } as const
      return summaryOf({ ...(await run(actions)), ...lost }, NONE, unanswered()).inDoubt
    }
    /** The answer of the operator is not on record. */
    const unanswered = () => ({
      ...journal(),
      records: (query: Parameters<Journal['records']>[0]) =>
        journal()
          .records(query)
          .filter(({ event }) => event.type !== 'execution.settled'),
    })
    expect(await inDoubt(WAIT)).toBeUndefined()
    expect(await inDoubt(CLICK)).toBe(true)
  })

  test('the oldest titles are forgotten first', async () => {
    const [first, second] = [await run(CLICK), await run(SNAPSHOT)]
    let reads = 0
    const counted = () => {
      reads += 1
      return journal()
    }
    const titleFor = createTitles(counted, 1)
    for (const receipt of [first, second, second, first]) titleFor(receipt)
    expect(reads).toBe(3)
  })

  test('show the screens that the executions beside them recorded, up to one that acted', async () => {
    const before = await run(SNAPSHOT)
    const click = await run(CLICK)
    expect(screenBefore(journal(), click)).toMatchObject({ executionId: before.executionId, at: before.settledAt })
    expect(screenBefore(journal(), click)?.xml).toContain('<hierarchy')
    expect(screenAfter(journal(), click)).toBeUndefined()
    const after = await run(SNAPSHOT)
    expect(screenAfter(journal(), click)).toMatchObject({ executionId: after.executionId })
    const other = await run(CLICK)
    const last = await run(CLICK)
    expect(screenBefore(journal(), other)?.executionId).toBe(after.executionId)
    expect(screenBefore(journal(), last)).toBeUndefined()
  })

  test('show the screen that was seen next however late, where nobody knows what they did', async () => {
    const click = await run(CLICK)
    const seen = await run(SNAPSHOT)
    const at = (seen.dispatchedAt ?? 0) - 24 * 60 * 60 * 1_000
    const earlier = { ...click, acceptedAt: at, dispatchedAt: at, settledAt: at }
    expect(screenAfter(journal(), earlier)).toBeUndefined()
    const lost = { ...earlier, state: 'interrupted', result: resultOf('Its host died.') } as const
    expect(screenAfter(journal(), lost)).toMatchObject({ executionId: seen.executionId, at: seen.dispatchedAt })
  })

  test('show the lines of a compact snapshot, and none of one that only tells changes', async () => {
    const click = await run(CLICK)
    const { executionId } = await run(SNAPSHOT)
    const compact = (text: string): Journal => ({
      ...journal(),
      receiptIds: query => journal().receiptIds(query),
      receipt(id) {
        const found = journal().receipt(id)
        if (id !== executionId || !found?.result?.ok) return found
        const { envelope } = found.result
        const stepResults = envelope.stepResults.map(step => ({ ...step, data: { format: 'compact', text } }))
        return { ...found, result: { ...found.result, envelope: { ...envelope, stepResults } } }
      },
    })
    const screen = 'screen 3 com.a\n@3.1 text "A"'
    expect(screenAfter(compact(screen), click)).toMatchObject({ executionId, lines: screen })
    expect(screenAfter(compact('screen 4 com.a (changes since 3)'), click)).toBeUndefined()
  })

  test('a device says in words what it works on, and only while it does', async () => {
    const running = lab.execute([{ id: 'nap', type: 'sleep', params: { durationMs: 1_000 } }])
    await expect.poll(() => viewedActors(journal()).actors[0]?.work.title).toBe('Wait 1 s')
    await running
    expect(viewedActors(journal()).actors[0]?.work).not.toHaveProperty('title')
  })
})

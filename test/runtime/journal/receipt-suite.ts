/** The receipts that every journal keeps with its records. */
import { beforeEach, describe, expect, test } from 'vitest'
import { BODY_INLINE_BYTES, IDEMPOTENCY_KEEP_MS } from '../../../src/contracts/limits/limits.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { leaseOf, receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import type { Bench } from './bench.ts'

export const receiptSuite = ({ journal }: Bench): unknown =>
  describe('receipts', () => {
    let n = 0
    beforeEach(() => {
      n = 0
    })
    const keep = (...given: Parameters<typeof receiptOf>) =>
      journal().append(recordOf('a', n++), { receipt: receiptOf(...given) })

    test('are replaced by the newest word on the same execution', async () => {
      await keep('e1')
      expect(journal().receipt('e1')).toEqual(receiptOf('e1'))
      await keep('e1', { state: 'dispatched', dispatchedAt: 2_000 })
      const settled = receiptOf('e1', {
        state: 'settled',
        dispatchedAt: 2_000,
        settledAt: 3_000,
        result: resultOf('late'),
      })
      await journal().append(recordOf('a', n++, { body: settled.result }), { receipt: settled })
      expect(journal().receipt('e1')).toEqual(settled)
      expect(journal().receipts()).toEqual([settled])
      expect(journal().receipt('e2')).toBeUndefined()
    })

    test('are found by device, command and skill run, newest accepted first', async () => {
      await keep('e1', { deviceId: 'd1', commandId: 'c1' })
      await keep('e2', { deviceId: 'd2', commandId: 'c1', skillRunId: 'r1' })
      await keep('e3', { deviceId: 'd1', commandId: 'c2', skillRunId: 'r1', result: resultOf('x') })
      await keep('e1', { deviceId: 'd1', commandId: 'c1', state: 'settled' })
      const ids = (query?: Parameters<Journal['receipts']>[0]) => {
        const found = journal()
          .receipts(query)
          .map(({ executionId }) => executionId)
        expect(journal().receiptIds(query)).toEqual(found)
        return found
      }
      expect(ids()).toEqual(['e3', 'e2', 'e1'])
      expect(ids({ deviceId: 'd1' })).toEqual(['e3', 'e1'])
      expect(ids({ commandId: 'c1' })).toEqual(['e2', 'e1'])
      expect(ids({ skillRunId: 'r1' })).toEqual(['e3', 'e2'])
      expect(ids({ skillRunId: 'r1', deviceId: 'd1', commandId: 'c2' })).toEqual(['e3'])
      expect(ids({ deviceId: 'none' })).toEqual([])
      expect(ids({ limit: 1 })).toEqual(['e3'])
      expect(journal().receipts({ skillRunId: 'r1' })[0]).toEqual(
        receiptOf('e3', { commandId: 'c2', skillRunId: 'r1', result: resultOf('x') }),
      )
    })

    test('are found by the run of flows that their attempt is of', async () => {
      const attempts = {
        e1: 'run.1.1',
        e2: 'run.1.2',
        e3: 'run.10.1',
        e4: 'run',
        e5: 'runs.1.1',
        e6: 'run-1',
        e7: 'run/1',
      }
      for (const [executionId, skillRunId] of Object.entries(attempts)) await keep(executionId, { skillRunId })
      await keep('e8', {})
      const ids = (skillRunId: string) => journal().receiptIds({ skillRunId })
      expect(ids('run')).toEqual(['e4', 'e3', 'e2', 'e1'])
      expect(ids('run.1')).toEqual(['e2', 'e1'])
      expect(ids('run.1.2')).toEqual(['e2'])
      expect([...ids('ru'), ...ids(''), ...ids('undefined'), ...ids('run.')]).toEqual([])
    })

    test('are found by their task, whatever characters it has, and whatever else names it', async () => {
      const odd = 'a "task" with \\ and é'
      await keep('e1', { taskId: 's1', result: resultOf('x'.repeat(BODY_INLINE_BYTES)) })
      await keep('e2', { taskId: 's10', commandId: '"taskId":"s1"' })
      await keep('e3', { taskId: odd })
      await keep('e4', { taskId: 's1', deviceId: 'd2' })
      await keep('e5', { taskId: 's2', result: resultOf('{"taskId":"s1","deviceId":"d1"}') })
      const ids = (query: Parameters<Journal['receipts']>[0]) => journal().receiptIds(query)
      expect(ids({ taskId: 's1' })).toEqual(['e4', 'e1'])
      expect(ids({ taskId: 's1', deviceId: 'd1' })).toEqual(['e1'])
      expect(ids({ taskId: odd })).toEqual(['e3'])
      expect(ids({ taskId: 's1', limit: 1 })).toEqual(['e4'])
      expect(ids({ taskId: 's' })).toEqual([])
    })

    test('come at most fifty at a time unless told otherwise', async () => {
      for (let i = 0; i < 52; i++) await keep(`e${i}`)
      expect(journal().receipts()).toHaveLength(50)
      expect(journal().receipts({ limit: 60 })).toHaveLength(52)
    })

    test('are not written when their record is refused', async () => {
      await keep('e1')
      const changed = receiptOf('e1', { state: 'settled' })
      expect(await refusalOf(() => journal().append(recordOf('a', 7), { receipt: changed }))).toBe('behind')
      expect(journal().receipt('e1')?.state).toBe('accepted')
    })

    test.each([
      ['small', 'small'],
      ['large', 'large'],
      ['small', 'large'],
      ['large', 'small'],
    ])('give up the %s result that they no longer name for a %s one', async (before, after) => {
      const of = (name: string, size: string) => resultOf(name.repeat(size === 'large' ? BODY_INLINE_BYTES : 1))
      const [first, second] = [of('first', before), of('second', after)]
      await keep('e1', { result: first })
      const record = await journal().append(recordOf('b', 0, { body: first }))
      await keep('e1', { result: second, state: 'settled' })
      expect(journal().body(record)).toEqual(first)
      const other = await journal().append(recordOf('b', 1, { body: second }))
      expect(journal().receipt('e1')?.result).toEqual(second)
      expect(journal().body(other)).toEqual(second)
    })

    test('with a key: no other execution is accepted under it within a day', async () => {
      const idempotency = { key: 'k', payload: 'p' }
      const at = (acceptedAt: number) => ({ acceptedAt, idempotency })
      expect(journal().receiptByKey('k')).toBeUndefined()
      await journal().append(recordOf('a', 0), { receipt: receiptOf('e1', at(1_000)) })
      await journal().append(recordOf('a', 1), { receipt: receiptOf('e1', { ...at(1_000), state: 'dispatched' }) })
      expect(journal().receiptByKey('k')).toMatchObject({ executionId: 'e1', state: 'dispatched' })
      const another = { receipt: receiptOf('e2', at(999 + IDEMPOTENCY_KEEP_MS)) }
      expect(await refusalOf(() => journal().append(recordOf('b', 0), another))).toBe('key-used')
      expect(await refusalOf(() => journal().begin(leaseOf(1), recordOf('b', 0), another))).toBe('key-used')
      expect([journal().head(), journal().leases.list()]).toEqual([2, []])
      const later = { receipt: receiptOf('e3', at(1_000 + IDEMPOTENCY_KEEP_MS)) }
      expect((await journal().append(recordOf('b', 0), later)).seq).toBe(3)
      expect(journal().receiptByKey('k')?.executionId).toBe('e3')
    })

    test('with a key: not even the same execution is accepted a second time', async () => {
      const receipt = receiptOf('e1', { acceptedAt: 1_000, idempotency: { key: 'k', payload: 'p' } })
      await journal().append(recordOf('a', 0), { receipt })
      const again = { receipt: { ...receipt, acceptedAt: 2_000 } }
      expect(await refusalOf(() => journal().append(recordOf('a', 1), again))).toBe('key-used')
      expect(journal().receipt('e1')?.acceptedAt).toBe(1_000)
    })
  })

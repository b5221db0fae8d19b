import { expect, test } from 'vitest'
import type { Execution } from '../../../src/contracts/executions/execution.ts'
import { IDEMPOTENCY_KEEP_MS } from '../../../src/contracts/limits/limits.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { AskPhone } from '../../../src/service/executions/evidence/ask-phone.ts'
import { holderOf, idempotencyOf } from '../../../src/service/executions/idempotency.ts'
import type { ExecutionOrder } from '../../../src/service/executions/order.ts'
import { digestOfPaths, withoutPicturePaths } from '../../../src/service/executions/picture-paths.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { receiptOf } from '../../support/runtime/records.ts'
import { settled } from '../../support/settled.ts'

test('a key is held by the newest receipt that has it, for 24 hours', () => {
  const idempotency = { key: 'k', payload: 'p' }
  const receipt = receiptOf('e1', { idempotency, acceptedAt: 1_000 })
  const journal = { receiptByKey: (key: string) => (key === 'k' ? receipt : undefined) }
  expect(holderOf(journal, idempotency, 1_000 + IDEMPOTENCY_KEEP_MS - 1)).toEqual(receipt)
  expect(holderOf(journal, idempotency, 1_000 + IDEMPOTENCY_KEEP_MS)).toBeUndefined()
  expect(holderOf(journal, { key: 'other', payload: 'p' }, 1_000)).toBeUndefined()
})

test('a payload is the same however its keys are ordered, and another with another device or operator', async () => {
  const request = (execution: object, more: Partial<ExecutionOrder> = {}) =>
    idempotencyOf('k', {
      execution: { actions: [], ...execution },
      operatorPackage: 'p',
      screenshots: {},
      ...more,
    } as unknown as ExecutionOrder).payload
  const same = request({ a: 1, b: [{ c: 2, d: 3 }] })
  expect(request({ b: [{ d: 3, c: 2 }], a: 1 })).toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 3 }] }, { deviceId: ' ' })).toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 3 }] }, { deviceId: 'x' })).not.toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 3 }] }, { operatorPackage: 'q' })).not.toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 4 }] })).not.toBe(same)
  const shot = (params: object) => ({ actions: [{ id: 'shot', type: 'take_screenshot', params }] })
  const { named } = withoutPicturePaths(shot({ path: 'a.png' }) as Execution)
  const sentOn = request(shot({}), { picturePaths: digestOfPaths(named) })
  expect(sentOn).toBe(request(shot({ path: 'a.png' })))
  expect(sentOn).not.toBe(request(shot({ path: 'b.png' })))
  expect(sentOn).not.toBe(request(shot({})))
})

test('a key whose process has died asks the phone before it is answered', async () => {
  const clock = manualClock()
  const alive = new Set([1, 2])
  const journal = memoryJournal({ alive: ({ pid }) => alive.has(pid), clock })
  const hung = phone(clock, command => (command.includes('HOME') ? new Promise(() => {}) : undefined))
  const ask = { ...pressHome(), screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere' } }
  let asked = 0
  const askPhone: AskPhone = async ({ executionId }) => {
    asked += 1
    const evidence = { type: 'execution.evidenced' as const, executionId, source: 'operator' as const, steps: [] }
    return { kind: 'known', evidence: { ...evidence, outcome: 'done' } }
  }
  void svcProcess({ journal, clock, link: hung }).executions.executeOnce('key', ask)
  await settled()
  alive.delete(1)
  const next = svcProcess({ journal, clock, link: phone(clock), pid: 2, askPhone })
  const message = expect.stringContaining('that all of its steps are done.')
  for (let time = 0; time < 2; time++) {
    const answer = await next.executions.executeOnce('key', ask)
    expect(answer).toMatchObject({ kind: 'replayed', executionId: 'e1-1', result: { ok: false, error: { message } } })
  }
  expect([asked, journal.receipt('e1-1')?.evidence?.outcome]).toEqual([1, 'done'])
})

test('the key of a process that has died is answered as interrupted by one that used the phone before', async () => {
  const clock = manualClock()
  const alive = new Set([1, 2])
  const journal = memoryJournal({ alive: ({ pid }) => alive.has(pid), clock })
  const hung = phone(clock, command => (command.includes('HOME') ? new Promise(() => {}) : undefined))
  const ask = { ...pressHome(), screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere' } }
  const next = svcProcess({ journal, clock, link: phone(clock), pid: 2 })
  expect((await next.execute(pressHome())).result.ok).toBe(true)
  void svcProcess({ journal, clock, link: hung }).executions.executeOnce('key', ask)
  await settled()
  expect(journal.receipt('e1-1')?.state).toBe('dispatched')
  alive.delete(1)
  expect(await next.executions.executeOnce('key', ask)).toMatchObject({
    kind: 'replayed',
    executionId: 'e1-1',
    result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
  })
  expect(await next.executions.receipt('e1-1')).toMatchObject({ state: 'interrupted' })
  expect((await next.execute(pressHome())).result.ok).toBe(true)
})

test('a later call with the key of one that runs leaves when it is cancelled, and the first goes on', async () => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  let finish = () => {}
  const link = phone(clock, command =>
    command.includes('HOME') ? new Promise(resolve => (finish = () => resolve(shellOk()))) : undefined,
  )
  const { executions } = svcProcess({ journal, clock, link })
  const ask = { ...pressHome(), screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere' } }
  const first = executions.executeOnce('key', ask)
  await settled()
  const leaving = new AbortController()
  const later = executions.executeOnce('key', { ...ask, cancel: leaving.signal })
  await settled()
  leaving.abort()
  expect(await later).toMatchObject({
    kind: 'replayed',
    executionId: 'e1-1',
    result: { ok: false, error: { code: 'EXECUTION_CANCELLED', details: { executionId: 'e1-1', dispatched: true } } },
  })
  finish()
  expect(await first).toMatchObject({ kind: 'executed', result: { ok: true } })
})

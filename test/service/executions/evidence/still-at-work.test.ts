/** Before an execution is sent: what is in doubt is asked for, all of it within one bound. */

import { expect, test } from 'vitest'
import type { Doubt } from '../../../../machines/device/device-doubts.ts'
import { hintAt } from '../../../../src/contracts/door-words.ts'
import type { ResultAnswer } from '../../../../src/device/operators/app/ask-for-result.ts'
import type { Journal } from '../../../../src/runtime/journal/journal.ts'
import type { PhoneAnswer } from '../../../../src/service/executions/evidence/ask-phone.ts'
import { stillAtWork } from '../../../../src/service/executions/evidence/still-at-work.ts'
import type { LeftList } from '../../../../src/service/executions/fence.ts'
import { journalOfOne } from '../../../support/executions/recorded-execution.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { receiptOf } from '../../../support/runtime/records.ts'

const NOW = 1_000_000
const RUNNING: PhoneAnswer = { kind: 'running', step: 1 }

const doubt = (more: Partial<Doubt> = {}): Doubt => ({
  executionId: 'e1',
  operatorPackage: 'com.svc.operator',
  ...{ segment: 0, step: 0, nonce: '1'.repeat(32), dispatchedAt: NOW - 10_000 },
  endedAt: NOW - 5_000,
  busyUntil: NOW + 20_000,
  known: [],
  ...more,
})

const setup = (answer: PhoneAnswer, takesMs = 0, left: { list?: LeftList; answer?: ResultAnswer } = {}) => {
  const clock = manualClock(NOW)
  const asked: number[] = []
  const look = (...doubts: Doubt[]) =>
    stillAtWork(
      { deviceId: 'd1', phone: 'device:hw1', context: { doubts } },
      {
        clock,
        fence: { leftOn: () => left.list && Promise.resolve(left.list) },
        journal: { ...journalOfOne(), receipt: (id: string) => receiptOf(id) } as unknown as Journal,
        learner: {
          learn: async (_receipt, { withinMs = 0 } = {}) => {
            asked.push(withinMs)
            clock.advance(takesMs)
            return answer
          },
          askFor: async ({ deviceId, phone }, _request, { withinMs }) => {
            expect([deviceId, phone]).toEqual(['d1', 'device:hw1'])
            asked.push(withinMs)
            return left.answer ?? { kind: 'unanswered', reason: 'the phone is silent' }
          },
        },
      },
    )
  return { look, asked, clock }
}

test('a list that runs refuses the next one, and names its step', async () => {
  const { look } = setup(RUNNING)
  expect(await look(doubt())).toMatchObject({
    code: DEVICE_CONFLICT,
    details: { deviceId: 'd1', interrupted: { executionId: 'e1', step: 's1' }, dispatched: false },
    hint: expect.stringContaining(new Date(NOW + 20_000).toISOString()),
  })
})

test.each([
  ['http', '`GET /executions/e1`', '`waitMs`'],
  ['cli', '`svc executions show e1`', '`--wait <ms>`'],
  ['mcp', 'the tool receipt', '`waitMs`'],
] as const)('the hint at the door %s names how to look at the list, and how to wait', async (door, look, wait) => {
  const refusal = await setup(RUNNING).look(doubt())
  const hint = hintAt(door, refusal?.hint ?? '')
  expect(hint).toContain(`See ${look} for its steps`)
  expect(hint).toContain(`with ${wait}`)
})

test('a list whose time is over refuses nothing, whatever the phone says', async () => {
  const { look } = setup(RUNNING)
  expect(await look(doubt({ busyUntil: NOW }))).toBeUndefined()
})

test('many doubts are asked for within two seconds in all, the newest first', async () => {
  const { look, asked, clock } = setup({ kind: 'nothing', why: 'the phone is silent', isFinal: false }, 900)
  expect(await look(doubt(), doubt(), doubt(), doubt(), doubt())).toBeUndefined()
  expect(asked).toEqual([2_000, 1_100, 200])
  expect(clock.elapsed()).toBeLessThan(NOW + 3_000)
})

test('what ended more than ten minutes ago is not asked for', async () => {
  const { look, asked } = setup(RUNNING)
  expect(await look(doubt({ endedAt: NOW - 600_000 }))).toBeUndefined()
  expect(asked).toEqual([])
})

const LIST: LeftList = {
  executionId: 'theirs',
  host: 'h2',
  operatorPackage: 'com.svc.operator',
  ...{ wireId: 'theirs#0', nonce: '1'.repeat(32), dispatchedAt: NOW - 10_000, timeoutMs: 30_000, stepCount: 2 },
  steps: ['a', 'b'],
  busyUntil: NOW + 30_000,
  forget: () => {},
}

test('a list that another host has left refuses as well, and names that host', async () => {
  const answer: ResultAnswer = { kind: 'running', step: 1, progress: [], from: 'operator' }
  const { look } = setup(RUNNING, 0, { list: LIST, answer })
  expect(await look()).toMatchObject({
    code: DEVICE_CONFLICT,
    message: expect.stringContaining('execution theirs of host h2'),
    details: { interrupted: { executionId: 'theirs', step: 'b', host: 'h2' }, dispatched: false },
  })
})

test('a list of another host that runs no more is forgotten, and one of which a silent phone says nothing is not', async () => {
  let forgotten = 0
  const forget = () => {
    forgotten += 1
  }
  const list = { ...LIST, forget }
  const answer: ResultAnswer = { kind: 'unknown', progress: [], from: 'operator', isForgotten: true }
  const ended = setup(RUNNING, 0, { list, answer })
  expect([await ended.look(), ended.asked, forgotten]).toEqual([undefined, [2_000], 1])
  expect([await setup(RUNNING, 0, { list }).look(), forgotten]).toEqual([undefined, 1])
})

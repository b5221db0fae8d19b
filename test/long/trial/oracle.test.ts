/** The oracle itself: it finds nothing in a true story, and each law in a story that breaks it. */

import { expect, test } from 'vitest'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { type Answer, answerOf, broken, hung } from './answer.ts'
import { AT_ONCE_MS, answerWithin, FREE_WITHIN_MS } from './bounds.ts'
import { judge } from './oracle.ts'
import type { Ask, OutcomeEvent, Timeline } from './timeline.ts'

const [ID, ACCEPTED, SENT, OVER, DEAD, AGAIN] = ['e1', 110, 120, 200, 150, 1_000]
const FIRST = { index: 0, life: 1 }
const SECOND = { index: 1, life: 1 }

const success = {
  ok: true,
  deviceId: 'd',
  terminalSource: 'svc_result',
  envelope: { commandId: 'tap-0', taskId: 't', stepResults: [], status: 'success', error: null },
} as Receipt['result']
const failed = (code: string, details: object) => ({
  ok: false as const,
  error: { code, message: code, retriable: false, details: { executionId: ID, ...details } },
})
const interruption = (dispatched: boolean) => failed('EXECUTION_INTERRUPTED', { dispatched })

const receiptOf = (more: object = {}) => {
  const times = { acceptedAt: ACCEPTED, dispatchedAt: SENT, settledAt: OVER }
  const named = { executionId: ID, commandId: 'tap-0', taskId: 't', deviceId: 'd', state: 'settled' as const }
  return { ...named, ...times, result: success, ...more } as Receipt
}
const askOf = (more: Partial<Ask> = {}): Ask => ({
  command: 'tap-0',
  surface: 'http',
  serial: 'd',
  timeoutMs: 1_000,
  key: 'k',
  server: FIRST,
  began: 100,
  ended: 210,
  answer: answerOf(success, ID),
  ...more,
})
const eventOf = (event: string, more: Partial<OutcomeEvent> = {}): OutcomeEvent => ({
  listener: 0,
  id: `1.${event}`,
  event,
  deviceId: 'd',
  command: 'tap-0',
  executionId: undefined,
  isRefusal: false,
  ...more,
})
const both = [eventOf('svc:result'), eventOf('svc:execution')]

/** Asked by key at one server, done once, told. */
const told = (more: Partial<Timeline> = {}): Timeline => ({
  phones: [{ serial: 'd', taps: { 'tap-0': 1 }, requests: [{ wireId: `${ID}.0`, way: 'socket', at: 130 }] }],
  receipts: [receiptOf()],
  asks: [askOf()],
  deaths: [],
  events: both,
  revivals: [{ serial: 'd', began: 2_000, succeeded: 2_100, last: '' }],
  touches: [],
  suffered: [],
  setting: 'plain',
  unlike: [],
  leases: [],
  lacks: [],
  ...more,
})
/** The same, the server killed after the request was sent, and asked for again at another one. */
const lost = (answer: Answer, more: Partial<Ask> = {}): Timeline =>
  told({
    receipts: [receiptOf({ state: 'interrupted', result: interruption(true) })],
    asks: [
      askOf({ ended: 155, answer: broken({ code: 'ECONNRESET' }) }),
      askOf({ server: SECOND, began: AGAIN, ended: AGAIN + 20, answer, ...more }),
    ],
    deaths: [{ at: DEAD, pid: 1, what: 'serve', signal: 'SIGKILL', server: FIRST }],
    events: [eventOf('svc:execution')],
  })
const idle = [{ serial: 'd', taps: { 'tap-0': 0 }, requests: [] }]
const interrupted = answerOf(interruption(true), ID)
const unsent = receiptOf({ state: 'interrupted', dispatchedAt: undefined, result: interruption(false) })
const refusedAnswer = answerOf({ ok: false, error: { code: DEVICE_CONFLICT, retriable: true } })
const unkeyed = { key: undefined }

test('a true story breaks no law', () => {
  expect(judge(told())).toEqual([])
  expect(judge(lost(interrupted))).toEqual([])
  // A refusal of the same key before says nothing about what came later.
  expect(judge(told({ asks: [askOf({ began: 1, ended: 2, answer: refusedAnswer }), askOf()] }))).toEqual([])
  // Nor does one of a host that was stopping, and had named the execution that never was.
  const stopping = answerOf({
    error: { code: 'JOURNAL_UNAVAILABLE', details: { executionId: 'e0', dispatched: false } },
  })
  const refused = eventOf('svc:execution', { executionId: 'e0' })
  const again = [askOf({ began: 1, ended: 2, answer: stopping }), askOf()]
  expect(judge(told({ asks: again, events: [refused, ...both] }))).toEqual([])
  const never = { asks: [askOf({ answer: broken({ code: 'ECONNREFUSED' }) })], receipts: [], events: [], phones: idle }
  expect(judge(told(never))).toEqual([])
})

const request = { wireId: `${ID}.0`, way: 'socket', at: 130 } as const
const BROKEN: [what: string, law: number, story: Timeline][] = [
  ['tapped twice', 1, told({ phones: [{ serial: 'd', taps: { 'tap-0': 2 }, requests: [request] }] })],
  ['one request twice', 1, told({ phones: [{ serial: 'd', taps: { 'tap-0': 1 }, requests: [request, request] }] })],
  ['told of a success that was none', 2, told({ phones: idle })],
  ['told that nothing happened', 2, told({ asks: [askOf({ answer: refusedAnswer })] })],
  ['success told and not recorded', 2, told({ receipts: [receiptOf({ result: interruption(true) })] })],
  ['told as not sent, and done', 2, lost(answerOf(interruption(false), ID))],
  ['recorded as not sent, and done', 3, told({ receipts: [unsent], asks: [askOf({ ...unkeyed, answer: hung })] })],
  ['done without a receipt', 4, told({ receipts: [], events: [], asks: [askOf({ answer: interrupted })] })],
  ['done before it was recorded as sent', 4, told({ receipts: [receiptOf({ dispatchedAt: undefined })] })],
  ['interrupted, with the wrong doubt', 4, told({ receipts: [receiptOf({ ...unsent, dispatchedAt: SENT })] })],
  ['a key accepted twice', 5, told({ receipts: [receiptOf(), receiptOf({ executionId: 'e2' })] })],
  ['a key answered late', 5, lost(interrupted, { ended: AGAIN + AT_ONCE_MS + 1 })],
  ['a key answered otherwise', 5, lost(answerOf(failed('RESULT_ENVELOPE_TIMEOUT', {}), ID))],
  ['a device that stays locked', 6, told({ revivals: [{ serial: 'd', began: 1, succeeded: undefined, last: 'X' }] })],
  [
    'a device free too late',
    6,
    told({ revivals: [{ serial: 'd', began: 0, succeeded: FREE_WITHIN_MS + 1, last: '' }] }),
  ],
  ['a receipt that stays open', 6, told({ receipts: [receiptOf({ state: 'dispatched' })] })],
  ['a caller without an answer', 7, told({ asks: [askOf({ answer: hung })] })],
  ['a caller answered late', 7, told({ asks: [askOf({ ended: 101 + answerWithin(1_000) })] })],
  ['a lease that a dead owner keeps', 6, told({ leases: ['d of 1'] })],
  ['a journal that replays to another state', 9, told({ unlike: ['device:d lived idle, replayed it is running'] })],
  ['an outcome never told', 8, told({ events: [] })],
  ['an outcome told twice', 8, told({ events: [...both, ...both] })],
  ['an envelope told twice', 8, told({ events: [...both, eventOf('svc:result')] })],
  ['an outcome told by another server', 8, told({ events: both.map(event => ({ ...event, listener: 1 })) })],
  ['an event of a command of another surface', 8, told({ asks: [askOf({ surface: 'daemon', server: undefined })] })],
]

test.each(BROKEN)('%s: law %i', (_, law, story) => {
  expect(judge(story).map(violation => violation.law)).toContain(law)
})

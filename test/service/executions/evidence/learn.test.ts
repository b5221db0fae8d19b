/** Asking for executions in doubt: one asker at a time, within what the fence allows, and what is proven is recorded. */
import { describe, expect, test } from 'vitest'
import type { Doubt } from '../../../../machines/device/device-doubts.ts'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import type { ActorFollower } from '../../../../src/runtime/append-as-guest.ts'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../../../../src/runtime/journal/journal.ts'
import {
  type AskOptions,
  type AskRequest,
  askNothing,
  type PhoneAnswer,
} from '../../../../src/service/executions/evidence/ask-phone.ts'
import { createLearner } from '../../../../src/service/executions/evidence/learn.ts'
import { type Fence, NO_FENCE } from '../../../../src/service/executions/fence.ts'
import { actionsOf, BACK, journalOfOne, NAP, TAP } from '../../../support/executions/recorded-execution.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { receiptOf, resultOf } from '../../../support/runtime/records.ts'

const lost = (more: Partial<StoredReceipt> = {}) =>
  receiptOf('e1', { state: 'interrupted', dispatchedAt: 2, settledAt: 1_000_000, result: resultOf('lost'), ...more })

const DONE: PhoneAnswer = {
  kind: 'known',
  evidence: { type: 'execution.evidenced', executionId: 'e1', source: 'operator', steps: [], outcome: 'done' },
}

const doubtOf = (executionId: string, more: Partial<Doubt> = {}): Doubt => ({
  executionId,
  operatorPackage: 'com.svc.operator',
  ...{ segment: 0, step: 0, nonce: '1'.repeat(32), dispatchedAt: 2, endedAt: 1_000_000, busyUntil: 30_002 },
  known: [],
  ...more,
})

const setup = ({
  fence = NO_FENCE,
  answer = async () => DONE,
  receipts = [lost()],
  doubts = receipts.map(({ executionId }) => doubtOf(executionId)),
  actions = actionsOf(BACK, NAP, BACK),
  sent = {},
  askRequest = askNothing,
}: {
  askRequest?: AskRequest
  fence?: Fence
  answer?: () => Promise<PhoneAnswer>
  receipts?: StoredReceipt[]
  /** In the state of the device. */
  doubts?: Doubt[]
  actions?: Action[]
  /** Facts of the dispatch of the execution. */
  sent?: object
} = {}) => {
  const clock = manualClock()
  const asked: AskOptions[] = []
  const owned: string[] = []
  const recorded: object[] = []
  let [head, listed] = [1, 0]
  const learner = createLearner({
    clock,
    fence,
    journal: {
      ...journalOfOne(actions, sent),
      receipt: (id: string) => receipts.find(({ executionId }) => executionId === id),
      head: () => head,
      actors: () => {
        listed += 1
        return [{ actor: 'device:d1', seq: head }]
      },
    } as unknown as Journal,
    host: {
      whileOwned: (async (key: string, _note: object, work: () => Promise<void>) => {
        owned.push(key)
        await work()
        return true
      }) as unknown as Parameters<typeof createLearner>[0]['host']['whileOwned'],
      appendAsGuest: async (_target, event) => void recorded.push(event),
      follow: () => ({ look: () => ({ snapshot: { context: { doubts } } }) }) as unknown as ActorFollower,
    },
    askPhone: async (_receipt, _recorded, options) => {
      asked.push(options)
      return answer()
    },
    askRequest,
  })
  const record = () => {
    head += 1
  }
  return { clock, learner, asked, owned, recorded, journal: { listed: () => listed, record } }
}

describe('an execution in doubt', () => {
  test('is asked for by one asker of all processes, and what is proven is recorded', async () => {
    const { learner, asked, owned, recorded } = setup()
    expect(await learner.learn(lost())).toEqual(DONE)
    expect(owned).toEqual(['evidence:d1'])
    expect(asked).toMatchObject([{ withinMs: 2_000 }])
    expect(recorded).toMatchObject([{ type: 'execution.evidenced', outcome: 'done' }])
  })

  test('is asked for once by all who ask at the same time, and again by who asks later', async () => {
    const { learner, asked } = setup()
    await Promise.all([learner.learn(lost()), learner.learn(lost()), learner.learn(lost(), { again: true })])
    expect(asked).toHaveLength(1)
    await learner.learn(lost(), { again: true })
    expect(asked).toMatchObject([{}, { again: true }])
  })

  test('is not asked for where nobody can be asked who may own the phone', async () => {
    const refusal = { code: 'FLEET_NOT_OWNER', message: 'Another host has it.' }
    const { learner, asked } = setup({ fence: { ...NO_FENCE, refusal: () => refusal } })
    expect(await learner.learn(lost())).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('stays in doubt where the journal refuses, and is asked for by whoever comes next', async () => {
    let isFull = true
    const { learner, asked } = setup({
      answer: async () => {
        if (isFull) throw new JournalError('full', 'no space')
        return DONE
      },
    })
    expect(await learner.learn(lost())).toMatchObject({ kind: 'nothing', isFinal: false })
    isFull = false
    expect(await learner.learn(lost())).toEqual(DONE)
    expect(asked).toHaveLength(2)
  })
})

test.each([
  ['is not over', { state: 'dispatched' }],
  ['was never sent', { dispatchedAt: undefined }],
  ['is known', { evidence: { source: 'operator', at: 5, outcome: 'done' } }],
] as [string, Partial<StoredReceipt>][])('what %s is not asked for', async (_, more) => {
  const { learner, asked } = setup()
  expect(await learner.learn(lost(more))).toBeUndefined()
  expect(asked).toEqual([])
})

test('a sweep asks for what its device has in doubt for ten minutes, however many executions came later', async () => {
  const later = Array.from({ length: 60 }, (_, index) => lost({ executionId: `later-${index}` }))
  const { learner, asked, journal } = setup({
    receipts: [...later, lost()],
    doubts: [doubtOf('old', { endedAt: 400_000 }), doubtOf('e1')],
    answer: async () => ({ kind: 'nothing', why: 'the phone is silent', isFinal: false }),
  })
  await learner.sweep()
  await learner.sweep()
  // The devices are looked at again only where something was recorded.
  expect([asked.length, journal.listed()]).toEqual([2, 1])
  journal.record()
  await learner.sweep()
  expect(journal.listed()).toBe(2)
})

describe('evidence', () => {
  test('that changes nothing is not recorded, whoever told it', async () => {
    const evidence = {
      type: 'execution.evidenced',
      executionId: 'e1',
      source: 'log',
      steps: [{ step: 0, success: true }],
    }
    const answer = async () => ({ kind: 'running', step: 1, evidence }) as PhoneAnswer
    const known = setup({ answer, doubts: [doubtOf('e1', { known: [0] })] })
    expect(await known.learner.learn(lost())).toMatchObject({ kind: 'running' })
    // Cancelled, and its device is not free yet.
    const draining = setup({ sent: { nonce: undefined, stepped: true }, actions: actionsOf(NAP, BACK), doubts: [] })
    expect(await draining.learner.learn(lost())).toMatchObject({ kind: 'known' })
    expect([...known.recorded, ...draining.recorded]).toEqual([])
  })

  test('is nothing of a failed step on record as long as the phone may still say why', async () => {
    const told = (successes: boolean[]): PhoneAnswer => {
      const steps = successes.map((success, step) => ({ step, success }))
      const evidence = { type: 'execution.evidenced' as const, executionId: 'e1', source: 'log' as const, steps }
      return { kind: 'nothing', why: 'the log has none', isFinal: false, evidence }
    }
    const failed = setup({ answer: async () => told([true, false]) })
    expect(await failed.learner.learn(lost())).toMatchObject({ kind: 'nothing', isFinal: false })
    const done = setup({ answer: async () => told([true, true, true]) })
    expect(await done.learner.learn(lost())).toMatchObject({ kind: 'known', evidence: { outcome: 'done' } })
  })
})

describe('a step that the host performs by looks and gestures', () => {
  const actions = actionsOf(TAP, TAP)

  test('has not begun where its look is the last on record, and nobody is asked', async () => {
    const { learner, asked, recorded } = setup({ actions, sent: { part: true, unbegun: true } })
    expect(await learner.learn(lost())).toMatchObject({ kind: 'known', evidence: { outcome: 'failed', steps: [] } })
    expect(recorded).toMatchObject([{ outcome: 'failed' }])
    expect(asked).toEqual([])
  })

  test('may have begun where an earlier version has recorded a look or a gesture', async () => {
    const nothing: PhoneAnswer = { kind: 'nothing', why: 'it is part of a step', isFinal: true }
    const { learner, recorded } = setup({ actions, sent: { part: true }, answer: async () => nothing })
    expect(await learner.learn(lost())).toEqual(nothing)
    expect(recorded).toEqual([])
  })

  test.each([
    ['of the last step ends the list', actionsOf(TAP), 'done'],
    ['of an earlier step leaves the next one undone', actions, 'failed'],
  ])('is done with its only gesture, which %s', async (_, list, outcome) => {
    const steps = [{ step: 0, success: true }]
    const evidence = { type: 'execution.evidenced' as const, executionId: 'e1', source: 'operator' as const, steps }
    const told: PhoneAnswer = { kind: 'nothing', why: 'it is part of a step', isFinal: true, evidence }
    const { learner, recorded } = setup({ actions: list, sent: { part: true }, answer: async () => told })
    expect(await learner.learn(lost())).toMatchObject({ kind: 'known' })
    expect(recorded).toEqual([{ ...evidence, outcome }])
  })
})

describe('a request of another host', () => {
  const PHONE = { deviceId: 'd1', phone: 'device:hw1', executionId: 'theirs' }
  const REQUEST = {
    operatorPackage: 'com.svc.operator',
    ...{ wireId: 'theirs.0', nonce: '1'.repeat(32), dispatchedAt: 1, timeoutMs: 30_000, stepCount: 3 },
  }

  test('is asked for by one asker, and nothing is recorded of it', async () => {
    const asked: unknown[] = []
    const { learner, owned, recorded } = setup({
      askRequest: async (phone, { wireId }, { withinMs }) => {
        asked.push([phone, wireId, withinMs])
        return { kind: 'running', step: 1, progress: [], from: 'operator' }
      },
    })
    const answer = await learner.askFor(PHONE, REQUEST, { withinMs: 2_000 })
    expect(answer).toMatchObject({ kind: 'running', step: 1 })
    expect([asked, owned, recorded]).toEqual([[[PHONE, 'theirs.0', 2_000]], ['evidence:device:hw1'], []])
  })

  test('is unanswered where the phone cannot be asked', async () => {
    const { learner } = setup({ askRequest: () => Promise.reject(new Error('the link is gone')) })
    expect(await learner.askFor(PHONE, REQUEST, { withinMs: 2_000 })).toEqual({
      kind: 'unanswered',
      reason: 'the link is gone',
    })
  })
})

test('a phone that another host owns by now is asked through that host', async () => {
  const refusal = () => ({ code: 'FLEET_HOST_GONE', message: 'Host h2 owns the phone, and not this one.' })
  const ask = async () => ({ kind: 'unanswered' as const, reason: '' })
  const { learner, asked } = setup({ fence: { ...NO_FENCE, refusal, ownerElsewhere: () => ({ host: 'h2', ask }) } })
  expect(await learner.learn(lost())).toEqual(DONE)
  expect(asked).toHaveLength(1)
})

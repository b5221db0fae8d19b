/** Asking for executions in doubt: one asker at a time, within what the fence allows, and what is proven is recorded. */
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../../../../src/runtime/journal/journal.ts'
import type { AskOptions, PhoneAnswer } from '../../../../src/service/executions/evidence/ask-phone.ts'
import { createLearner } from '../../../../src/service/executions/evidence/learn.ts'
import { type Fence, NO_FENCE } from '../../../../src/service/executions/fence.ts'
import { journalOfOne } from '../../../support/executions/recorded-execution.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { receiptOf, resultOf } from '../../../support/runtime/records.ts'

const lost = (more: Partial<StoredReceipt> = {}) =>
  receiptOf('e1', { state: 'interrupted', dispatchedAt: 2, settledAt: 1_000_000, result: resultOf('lost'), ...more })

const DONE: PhoneAnswer = {
  kind: 'known',
  evidence: { type: 'execution.evidenced', executionId: 'e1', source: 'operator', steps: [], outcome: 'done' },
}

const setup = ({
  fence = NO_FENCE,
  answer = async () => DONE,
  receipts = [lost()],
}: {
  fence?: Fence
  answer?: () => Promise<PhoneAnswer>
  receipts?: StoredReceipt[]
} = {}) => {
  const clock = manualClock()
  const asked: AskOptions[] = []
  const owned: string[] = []
  const recorded: object[] = []
  const learner = createLearner({
    clock,
    fence,
    journal: { ...journalOfOne(), receipts: () => receipts } as unknown as Journal,
    host: {
      whileOwned: (async (key: string, _note: object, work: () => Promise<void>) => {
        owned.push(key)
        await work()
        return true
      }) as unknown as Parameters<typeof createLearner>[0]['host']['whileOwned'],
      appendAsGuest: async (_target, event) => void recorded.push(event),
    },
    askPhone: async (_receipt, _recorded, options) => {
      asked.push(options)
      return answer()
    },
  })
  return { clock, learner, asked, owned, recorded }
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

  test('is not asked for where another host has the phone', async () => {
    const refusal = { code: 'FLEET_NOT_OWNER', message: 'Another host has it.' }
    const { learner, asked } = setup({ fence: { refusal: () => refusal, epochOf: () => undefined } })
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

test('a sweep asks for what ended in doubt within ten minutes', async () => {
  const old = lost({ executionId: 'e0', settledAt: 1_000_000 - 600_000 })
  const { learner, asked } = setup({ receipts: [lost(), old] })
  await learner.sweep()
  expect(asked).toHaveLength(1)
})

/** One host asks another about a phone that moved there: what is said is read with care on both sides. */
import { describe, expect, test } from 'vitest'
import type { Forwarded } from '../../../src/fleet/fleet.ts'
import { createPhoneQuestions } from '../../../src/fleet/ownership/phone-questions.ts'
import type { AskRequest } from '../../../src/service/executions/evidence/ask-phone.ts'

const REQUEST = {
  operatorPackage: 'com.svc.operator',
  ...{ wireId: 'e1.0', nonce: '1'.repeat(32), dispatchedAt: 1, timeoutMs: 30_000, stepCount: 3 },
}
const RUNNING = { kind: 'running', step: 1, progress: [{ step: 0, success: true }], from: 'operator' }

const answered = (status: number, body: unknown): Forwarded => ({
  kind: 'done',
  answer: { status, headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
})

const askOver = (forwarded: Forwarded) => {
  const questions = createPhoneQuestions({
    forward: async () => forwarded,
    ownedSerial: () => undefined,
    learner: () => ({ askFor: () => Promise.reject(new Error('this host was not to be asked')) }),
  })
  return questions.ask('h2', 'device:hw1')('e1', REQUEST, { withinMs: 2_000 })
}

describe('the host that asks', () => {
  test('gets what the phone says', async () => {
    expect(await askOver(answered(200, RUNNING))).toEqual(RUNNING)
  })

  test.each<[string, Forwarded]>([
    ['does not answer', { kind: 'unknown', accepted: true }],
    ['cannot be reached', { kind: 'not sent', reason: 'unreachable' }],
    ['owns the phone no more', answered(503, { ok: false, error: { code: 'FLEET_HOST_GONE' } })],
    ['knows no such question', answered(404, { ok: false, error: { code: 'NOT_FOUND' } })],
    ['says what is no answer', answered(200, { kind: 'result', envelope: { status: 'success' }, from: 'operator' })],
    ['says what is no JSON', answered(200, '{"kind":')],
    ['says more levels than an envelope has', answered(200, `${'['.repeat(10_000)}${']'.repeat(10_000)}`)],
  ])('learns nothing of one that %s', async (_what, forwarded) => {
    expect(await askOver(forwarded)).toMatchObject({
      kind: 'unanswered',
      reason: expect.stringMatching(/^host h2, which own/),
    })
  })
})

describe('the host that is asked', () => {
  const handled = async (body: unknown, owns = true) => {
    const asked: Parameters<AskRequest>[] = []
    const askFor: AskRequest = async (...question) => {
      asked.push(question)
      return { kind: 'running', step: 1, progress: [], from: 'operator' }
    }
    const forward = () => Promise.reject(new Error('nobody was to be asked'))
    const questions = createPhoneQuestions({
      forward,
      ownedSerial: () => (owns ? 'S1' : undefined),
      learner: () => ({ askFor }),
    })
    const never = new AbortController().signal
    const head = { id: 'q1', instance: 'i1', method: 'POST', path: '/', headers: {}, from: 'h1' }
    const answer = await questions.handle(
      { ...head, body: Buffer.from(JSON.stringify(body)), withinMs: 60_000 },
      { signal: never, silent: never, cancelled: never, progress: () => {} },
    )
    return { status: answer.status, asked }
  }
  const question = { phone: 'device:hw1', executionId: 'e1', ...REQUEST }

  test('asks its phone for two seconds at most', async () => {
    const { status, asked } = await handled(question)
    expect(status).toBe(200)
    expect(asked).toMatchObject([
      [{ deviceId: 'S1', phone: 'device:hw1', executionId: 'e1' }, REQUEST, { withinMs: 2_000 }],
    ])
  })

  test('asks no phone that it does not own, and none for what it cannot read', async () => {
    expect(await handled(question, false)).toEqual({ status: 503, asked: [] })
    expect(await handled({ ...question, stepCount: -1 })).toEqual({ status: 400, asked: [] })
    expect(await handled([])).toEqual({ status: 400, asked: [] })
  })
})

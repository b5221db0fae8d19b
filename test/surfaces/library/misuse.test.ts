/** What is given wrongly is refused before anything is sent, by an error that names it. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { connectFrom } from '../../../src/surfaces/library/connect.ts'
import type { Phone } from '../../../src/surfaces/library/phone.ts'
import type { Svc } from '../../../src/surfaces/library/svc.ts'
import { SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { connectHere, executed, json, startStubServer } from './stub-server.ts'

/** As a program in JavaScript gives it, whose types nobody checks. */
const wrong = (value: unknown) => value as never

type Call = (svc: Svc, phone: Phone) => Promise<unknown>

const CALLS: readonly (readonly [what: string, named: string, call: Call])[] = [
  ['a key with a line break', 'idempotencyKey', (_, phone) => phone.click('a', { idempotencyKey: 'a\nb' })],
  ['a key in other letters', 'idempotencyKey', (_, phone) => phone.click('a', { idempotencyKey: '世界' })],
  ['no target', 'target', (_, phone) => phone.click(wrong(null))],
  ['no steps', 'steps', (_, phone) => phone.execute(wrong(undefined))],
  ['a step that is none', 'steps', (_, phone) => phone.execute(wrong([null]))],
  ['a number without JSON', 'JSON', (_, phone) => phone.enterText({ text: wrong(1n) })],
  ['a negative time', 'timeoutMs', (_, phone) => phone.click('a', { timeoutMs: -100_000 })],
  ['a time that is a text', 'timeoutMs', svc => svc.devices.list({ timeoutMs: wrong('5') })],
  ['an endless wait', 'waitMs', (_, phone) => phone.click('a', { waitMs: Number.POSITIVE_INFINITY })],
  ['a signal that is none', 'signal', (_, phone) => phone.click('a', { signal: wrong({}) })],
  ['a signal of a stream that is none', 'signal', svc => svc.transitions({ signal: wrong({}) }).next()],
  ['a request that is none', 'nope.x', svc => svc.request(wrong('nope.x'), wrong({}))],
  ['a request without its input', 'deviceId', svc => svc.request('devices.get', wrong(undefined))],
]

test.each(CALLS)('%s', async (_, named, call) => {
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, executed()))
  const svc: Svc = await connectHere({ url })
  const error = await call(svc, svc.device('phone-1')).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SvcError)
  expect(error).toMatchObject({ code: 'USAGE', dispatched: false, message: expect.stringContaining(named) })
  expect(asked).toEqual([])
})

test.each([
  ['no options', null, 'options'],
  ['a token with a line break', { url: 'http://127.0.0.1:1', token: 'abcdefgh12345678\n' }, 'token'],
])('%s of connect', async (_, options, named) => {
  const connected = connectFrom(wrong(options), { env: {}, program: 'none', clock: systemClock() })
  await expect(connected).rejects.toMatchObject({
    code: 'USAGE',
    dispatched: false,
    message: expect.stringContaining(named),
  })
})

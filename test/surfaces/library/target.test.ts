/** Targets in the words of callers, as the params of the actions that are sent. */
import { expect, test } from 'vitest'
import type { Phone } from '../../../src/surfaces/library/phone.ts'
import { connectHere, executed, json, startStubServer } from './stub-server.ts'

/** The type and the params of the action that a call sends, and what stands beside the execution. */
const sentBy = async (call: (phone: Phone) => Promise<unknown>) => {
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, executed()))
  const svc = await connectHere({ url })
  await call(svc.device('phone-1'))
  const { execution, ...beside } = JSON.parse(asked[0]?.body ?? '')
  const [{ type, params }] = execution.actions
  return { type, params, beside, timeoutMs: execution.timeoutMs }
}

test.each<[string, (phone: Phone) => Promise<unknown>, string, unknown]>([
  ['a label', phone => phone.click('Pay'), 'click', { matcher: { textEquals: 'Pay' } }],
  ['a ref', phone => phone.click('@12.7'), 'click', { matcher: { ref: '@12.7' } }],
  ['a point', phone => phone.click({ x: 1, y: 2 }), 'click', { coordinate: { x: 1, y: 2 } }],
  [
    'short words, also in relations',
    phone => phone.read({ id: 'app:id/x', desc: 'd', textContains: 'c', role: 'text', below: { text: 'Total' } }),
    'read_text',
    {
      matcher: {
        resourceId: 'app:id/x',
        contentDescEquals: 'd',
        textContains: 'c',
        role: 'text',
        below: { textEquals: 'Total' },
      },
    },
  ],
  [
    'the params of the action',
    phone => phone.click({ matcher: { textEquals: 'Pay' }, repeat: 2 }),
    'click',
    { matcher: { textEquals: 'Pay' }, repeat: 2 },
  ],
  [
    'a long press',
    phone => phone.longPress('Pay'),
    'click',
    { matcher: { textEquals: 'Pay' }, clickType: 'long_click' },
  ],
  ['a package', phone => phone.open('com.example'), 'open_app', { applicationId: 'com.example' }],
  ['a uri', phone => phone.open('https://example.com'), 'open_uri', { uri: 'https://example.com' }],
  ['a text', phone => phone.type('hi', { id: 'f' }), 'enter_text', { text: 'hi', matcher: { resourceId: 'f' } }],
  [
    'a swipe',
    phone => phone.swipe({ x: 1, y: 2 }, { x: 3, y: 4 }),
    'swipe',
    { start: { x: 1, y: 2 }, end: { x: 3, y: 4 } },
  ],
  ['a swipe by params', phone => phone.swipe({ direction: 'up' }), 'swipe', { direction: 'up' }],
  ['a scroll', phone => phone.scroll('up'), 'scroll', { direction: 'up' }],
  [
    'a drag',
    phone => phone.drag('Card', { x: 5, y: 6 }),
    'drag',
    { from: { matcher: { textEquals: 'Card' } }, to: { coordinate: { x: 5, y: 6 } } },
  ],
  ['an action by its name', phone => phone.pressKey({ key: 'enter' }), 'press_key', { key: 'enter' }],
])('%s', async (_, call, type, params) => {
  expect(await sentBy(call)).toMatchObject({ type, params })
})

test('a wait has time enough, and its options go where they belong', async () => {
  const sent = await sentBy(phone => phone.wait('Done', { gone: true, timeoutMs: 60_000, observe: true, waitMs: 5 }))
  expect(sent).toMatchObject({
    type: 'wait_for_node',
    params: { matcher: { textEquals: 'Done' }, timeoutMs: 60_000, state: 'gone' },
    timeoutMs: 65_000,
    beside: { deviceId: 'phone-1', observe: true, waitMs: 5 },
  })
})

test('what is no target is refused before anything is sent', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, executed()))
  const phone = (await connectHere({ url })).device('phone-1')
  const refusal = { code: 'USAGE', dispatched: false }
  await expect(phone.click({ text: 'a', textEquals: 'b' })).rejects.toMatchObject(refusal)
  await expect(phone.click(7 as unknown as string)).rejects.toMatchObject(refusal)
  expect(asked).toEqual([])
})

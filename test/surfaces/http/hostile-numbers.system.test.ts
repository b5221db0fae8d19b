/** Numbers that are no bodies' business, over POST /execute to a phone: a clear error, or an execution that ends. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payloadOf } from '../../support/executions/lab.ts'
import { HOSTILE_VALUES, quickPing } from '../../support/hostile-values.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'

let served: HttpLab
beforeAll(async () => {
  served = await startHttpLab()
})
afterAll(() => served.close())

const at = (x: unknown, y: unknown) => ({ coordinate: { x, y } })

const ACTIONS: readonly (readonly [type: string, params: (value: unknown) => object])[] = [
  ['click', value => at(value, 100)],
  ['click', value => ({ matcher: { textEquals: 'Display', index: value } })],
  ['click', value => ({ matcher: { textEquals: 'Display' }, point: { x: value, y: value, unit: 'pixel' } })],
  ['click', value => ({ ...at(100, 100), holdMs: value })],
  ['click', value => ({ ...at(100, 100), repeat: value, repeatDelayMs: value })],
  ['double_tap', value => at(value, value)],
  ['swipe', value => ({ start: { x: value, y: 100 }, end: { x: 100, y: value } })],
  ['drag', value => ({ from: at(value, value), to: at(10, 10) })],
  ['drag', value => ({ from: at(100, 100), to: at(10, 10), durationMs: value })],
  ['pinch', value => ({ scale: value })],
  ['scroll', value => ({ direction: 'down', distanceRatio: value })],
  ['scroll_until', value => ({ matcher: { textEquals: 'none' }, maxSwipes: value, maxDurationMs: 1_000 })],
  ['wait_for_node', value => ({ matcher: { textEquals: 'none' }, timeoutMs: value })],
  ['sleep', value => ({ durationMs: value })],
  ['press_key', value => ({ key: value })],
  ['enter_text', value => ({ text: value })],
  ['erase_text', value => ({ characters: value })],
]

test.each(ACTIONS)('%s ends each hostile value with a clear error, or does what it says', async (type, paramsFor) => {
  for (const value of HOSTILE_VALUES) {
    const execution = payloadOf([{ id: 'a', type, params: paramsFor(value) }], { timeoutMs: 5_000 })
    const { status, json } = await call(`${served.url}/execute`, { body: { execution } })
    const where = `${JSON.stringify(value)?.slice(0, 40)}: ${JSON.stringify(json).slice(0, 400)}`
    expect(status, where).toBeLessThan(500)
    expect(JSON.stringify(json), where).not.toContain('INTERNAL_ERROR')
  }
  await quickPing(served.url)
})

test.each(['timeoutMs', 'waitMs'])('so does %s of the request', async name => {
  for (const value of HOSTILE_VALUES) {
    const execution = payloadOf([{ id: 'a', type: 'sleep', params: { durationMs: 1 } }])
    const body = name === 'waitMs' ? { execution, waitMs: value } : { execution: { ...execution, timeoutMs: value } }
    const { status, json } = await call(`${served.url}/execute`, { body })
    expect(status, JSON.stringify(value)?.slice(0, 40)).toBeLessThan(500)
    expect(JSON.stringify(json)).not.toContain('INTERNAL_ERROR')
  }
  await quickPing(served.url)
})

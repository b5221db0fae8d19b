/** Numbers and texts that no client should send, in arguments of tools: each ends with a clear error or a proper answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOSTILE_VALUES, quickPing } from '../../support/hostile-values.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../../support/mcp-client.ts'

let served: HttpLab
let caller: McpCaller
let device: string
beforeAll(async () => {
  served = await startHttpLab()
  caller = await connectHttp(served.url, 'modern')
  device = served.serials[0] ?? ''
})
afterAll(async () => {
  await caller.close()
  await served.close()
})

/** Values of a short wait or gesture are proper ones: the tool then does what they say. */
const PLACES: readonly (readonly [tool: string, args: (value: unknown) => Record<string, unknown>])[] = [
  ['click', value => ({ text: 'Display', index: value })],
  ['click', value => ({ text: value })],
  ['type', value => ({ value })],
  ['press', value => ({ key: value })],
  ['scroll', value => ({ direction: value })],
  ['scroll_until', value => ({ text: 'Display', index: value })],
  ['wait', value => ({ text: 'none such', timeoutMs: value })],
  ['read', value => ({ id: value })],
  ['swipe', value => ({ x1: value, y1: 100, x2: 100, y2: value })],
  ['swipe', value => ({ x1: 100, y1: 100, x2: 100, y2: 200, durationMs: value })],
  ['pinch', value => ({ scale: value })],
  ['drag', value => ({ from: { x: value, y: value }, to: { x: 100, y: 100 } })],
  ['snapshot', value => ({ since: value })],
  ['lease', value => ({ forMs: value })],
  ['logs', value => ({ limit: value })],
  ['execute', value => ({ execution: { timeoutMs: value } })],
]

test.each(PLACES)('%s answers each hostile value with a clear error, or does what it says', async (tool, argsFor) => {
  for (const value of HOSTILE_VALUES) {
    // `tools/call` itself may be refused, with the name of the argument.
    const { isError, structured, text } = await caller
      .call(tool, { device, ...argsFor(value) })
      .catch((error: Error) => ({ isError: true, structured: {} as Record<string, unknown>, text: error.message }))
    const where = `${JSON.stringify(value)?.slice(0, 40)}: ${text.slice(0, 400)}`
    if (isError) expect(structured.code, where).not.toBe('INTERNAL_ERROR')
    if (isError) expect(text, where).not.toMatch(/internal error|is not a function|cannot read prop/i)
    // The places of the table are arguments that the tools have.
    expect(text, where).not.toMatch(/unknown argument|unknown key|has no argument|unrecognized|unexpected/i)
    if (isError) expect(text.length, where).toBeGreaterThan(10)
  }
  await quickPing(served.url)
})

/** A scripted agent without a model: it solves three tasks by MCP alone, and sees nothing of a phone but compact screens. */
import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { page } from '../../build/docs/documents.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../../support/mcp-client.ts'

let served: HttpLab
let caller: McpCaller
beforeAll(async () => {
  served = await startHttpLab({ count: 3 })
  caller = await connectHttp(served.url, 'modern')
})
afterAll(async () => {
  await caller.close()
  await served.close()
})

/** Text of screens has some 2.7 characters in a token (o200k), for its many numbers; this is on the safe side. */
const CHARS_PER_TOKEN = 2.5
const DIALOGUE_TOKENS_MAX = 9_000
const SCROLLS_MAX = 12

/** Names a file to which each dialogue is appended, for counting its tokens. */
const DIALOGUE = process.env.SVC_TEST_DIALOGUE

/** All that a model would read and write, the list of tools apart. */
const dialogue: string[] = []

interface Line {
  ref: string
  /** Role, label and state. */
  says: string
}

const linesOf = (screen: string): Line[] =>
  [...screen.matchAll(/^[+~]? ?(@\d+\.\d+) (.*)$/gm)].map(([, ref = '', says = '']) => ({ ref, says }))

const agentOn = (device: string) => {
  let screen = ''
  const use = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { isError, text, raw } = await caller.call(name, { ...args, device })
    dialogue.push(JSON.stringify({ name, arguments: { ...args, device } }), text)
    if (isError) throw new Error(text)
    expect(JSON.stringify(raw)).not.toContain('<hierarchy')
    return text
  }
  const look = async (): Promise<Line[]> => {
    screen = await use('snapshot', {})
    return linesOf(screen)
  }
  const find = async (wanted: RegExp): Promise<Line> => {
    for (let scrolls = 0; scrolls <= SCROLLS_MAX; scrolls += 1) {
      const line = (await look()).find(({ says }) => wanted.test(says))
      if (line) return line
      await use('scroll', {})
    }
    throw new Error(`nothing on the screen says ${wanted}:\n${screen}`)
  }
  return {
    open: (target: string) => use('open', { target }),
    find,
    look,
    use,
    click: async (wanted: RegExp) => use('click', { ref: (await find(wanted)).ref, observe: true }),
  }
}

const deviceAt = (index: number) => served.serials[index] ?? ''

test('which version of Android does this phone have?', async () => {
  const agent = agentOn(deviceAt(0))
  await agent.open('com.android.settings')
  await agent.click(/^text "About phone"/)
  await agent.find(/"Android version"/)
  const lines = await agent.look()
  const label = lines.findIndex(({ says }) => says.includes('"Android version"'))
  expect(lines[label + 1]?.says).toBe('text "15"')
})

test('turn Wi-Fi off', async () => {
  const agent = agentOn(deviceAt(1))
  await agent.open('com.android.settings')
  expect((await agent.find(/"Wi-Fi"/)).says).toBe('switch "Wi-Fi" on')
  const changed = await agent.click(/^switch "Wi-Fi"/)
  expect(changed).toMatch(/switch "Wi-Fi" off/)
  await agent.use('press', { key: 'home' })
  await agent.open('com.android.settings')
  expect((await agent.find(/"Wi-Fi"/)).says).toBe('switch "Wi-Fi" off')
})

test('open a page in the browser, then look at the dialer and return', async () => {
  const agent = agentOn(deviceAt(2))
  await agent.open('https://example.com/orders')
  expect((await agent.find(/example\.com\/orders/)).says).toContain('example.com/orders')
  await agent.open('tel:5550100')
  await agent.find(/"No recent calls"/)
  await agent.use('press', { key: 'back' })
  await agent.open('com.android.chrome')
  await agent.use('wait', { app: 'com.android.chrome' })
  await agent.find(/example\.com\/orders/)
})

test('the whole dialogue of the three tasks is short', async () => {
  const text = dialogue.join('\n')
  const tools = JSON.stringify((await caller.client.listTools()).tools)
  if (DIALOGUE) appendFileSync(DIALOGUE, JSON.stringify({ dialogue: text, tools }))
  expect(text.length / CHARS_PER_TOKEN).toBeLessThan(DIALOGUE_TOKENS_MAX)
  expect(page('mcp')).toContain(`reads and writes under ${DIALOGUE_TOKENS_MAX.toLocaleString('en-US')} tokens`)
})

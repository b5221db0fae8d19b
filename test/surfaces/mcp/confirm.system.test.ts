/** The policy over MCP: its refusals, and what a person confirms to a client that can ask. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, ERAS, type McpCaller } from '../../support/mcp-client.ts'

let served: HttpLab
beforeAll(async () => {
  served = await startHttpLab()
  const home = join(served.lab.home, '.svc')
  mkdirSync(home, { recursive: true })
  const rules = [
    { id: 'no-dialer', effect: 'deny', packages: ['com.android.dialer'], callers: ['mcp'] },
    { id: 'ask-first', effect: 'confirm', actions: ['press_key'], callers: ['mcp'] },
    { id: 'ask-twice', effect: 'confirm', actions: ['press_key'], callers: ['mcp'] },
    { id: 'ask-in-chrome', effect: 'confirm', actions: ['click'], packages: ['com.android.chrome'] },
  ]
  writeFileSync(join(home, 'policy.json'), JSON.stringify({ rules }))
})
afterAll(() => served.close())

type Reply = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' }

const asking = async (era: 'legacy' | 'modern', reply: Reply) => {
  const asked: string[] = []
  const caller = await connectHttp(served.url, era, { capabilities: { elicitation: { form: {} } } })
  caller.client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message)
    return reply
  })
  return { caller, asked }
}

const executions = () => served.lab.fleet.devices[0]?.phone.executions().length ?? 0
const YES: Reply = { action: 'accept', content: { confirm: true } }

describe.each(ERAS)('a %s client', era => {
  test('is refused what a rule denies, and nothing is sent', async () => {
    const caller = await connectHttp(served.url, era)
    const before = executions()
    expect(await caller.call('open', { target: 'com.android.dialer' })).toMatchObject({
      isError: true,
      structured: { code: 'EXECUTION_DENIED', dispatched: false, details: { rule: 'no-dialer', caller: 'mcp' } },
    })
    expect(executions()).toBe(before)
    await caller.close()
  })

  test('that cannot ask is refused what has to be confirmed', async () => {
    const caller = await connectHttp(served.url, era)
    expect(await caller.call('press', { key: 'home' })).toMatchObject({
      isError: true,
      structured: { code: 'EXECUTION_DENIED', dispatched: false, details: { effect: 'confirm' } },
    })
    await caller.close()
  })

  test('that can ask runs it once, after a yes to each rule', async () => {
    const { caller, asked } = await asking(era, YES)
    const before = executions()
    expect(await caller.call('press', { key: 'home' })).toMatchObject({ isError: false })
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('ask-first')
    expect(asked[0]).toContain('{"key":"home"}')
    expect(asked[1]).toContain('ask-twice')
    expect(executions()).toBe(before + 1)
    await caller.close()
  })

  test.each<Reply>([{ action: 'decline' }, { action: 'accept', content: { confirm: false } }])(
    'is refused after %j, and nothing is sent',
    async reply => {
      const { caller, asked } = await asking(era, reply)
      const before = executions()
      expect(await caller.call('press', { key: 'home' })).toMatchObject({
        isError: true,
        structured: {
          code: 'EXECUTION_DENIED',
          dispatched: false,
          details: { rule: 'ask-first', effect: 'confirm', action: 'press_key', caller: 'mcp' },
        },
      })
      expect(asked).toHaveLength(1)
      expect(executions()).toBe(before)
      await caller.close()
    },
  )

  test('is asked by the application in front as well', async () => {
    const { caller, asked } = await asking(era, YES)
    await caller.call('open', { target: 'com.android.chrome' })
    const clicked = await caller.call('click', { id: 'com.android.chrome:id/url_bar' })
    expect(asked).toHaveLength(1)
    expect(clicked).toMatchObject({ isError: false })
    await caller.close()
  })
})

describe('an answer of a person', () => {
  let caller: McpCaller
  beforeAll(async () => {
    const asked = await asking('modern', YES)
    caller = asked.caller
  })
  afterAll(() => caller.close())

  const raw = async (args: object, more: object = {}) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const response = await fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'press',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'press', arguments: args, _meta: meta, ...more },
      }),
    })
    return (await response.json()) as {
      error?: { code: number }
      result?: { resultType?: string; requestState?: string; isError?: boolean }
    }
  }
  const yes = { confirm: { action: 'accept', content: { confirm: true } } }

  test('cannot be made up, changed, or used for another call or again', async () => {
    const before = executions()
    const first = await raw({ key: 'home' })
    expect(first.result).toMatchObject({ resultType: 'input_required' })
    const requestState = first.result?.requestState ?? ''

    expect((await raw({ key: 'home' }, { inputResponses: yes })).result).toMatchObject({ resultType: 'input_required' })
    const forged = `${requestState.slice(0, -4)}AAAA`
    expect((await raw({ key: 'home' }, { inputResponses: yes, requestState: forged })).error).toMatchObject({
      code: -32_602,
    })
    const other = await raw({ key: 'back' }, { inputResponses: yes, requestState })
    expect(other.result).toMatchObject({ resultType: 'input_required' })

    const second = await raw({ key: 'home' }, { inputResponses: yes, requestState })
    expect(second.result).toMatchObject({ resultType: 'input_required' })
    const third = { inputResponses: yes, requestState: second.result?.requestState ?? '' }
    expect((await raw({ key: 'home' }, third)).result?.isError).not.toBe(true)
    expect(executions()).toBe(before + 1)
    expect((await raw({ key: 'home' }, third)).result).toMatchObject({ resultType: 'input_required' })
    expect(executions()).toBe(before + 1)
  })
})

/** `svc mcp` before clients that send what is no message, too much, or read nothing: each gets an answer, and nothing hangs. */
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { serveMcpOnStdio } from '../../../../src/surfaces/mcp/stdio/serve.ts'
import { type FakeExecutions, fakeExecutions, refusedWith } from '../../../support/executions/fake-executions.ts'
import { mcpDeps } from '../../../support/http/http-server.ts'
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts'
import { until } from '../../../support/until.ts'

interface Message {
  id?: number | string | null
  result?: unknown
  error?: { code: number; message: string }
}

interface Served {
  stdin: PassThrough
  stdout: PassThrough
  heard: Message[]
  notes: string[]
  ended: Promise<void>
}

const initialize = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}
const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' })
const lineOf = (message: unknown) => `${JSON.stringify(message)}\n`

interface ServeOptions {
  reads?: boolean
  clock?: ManualClock
  executions?: FakeExecutions
}

const serve = async ({ reads = true, ...given }: ServeOptions = {}): Promise<Served> => {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const heard: Message[] = []
  const notes: string[] = []
  let unfinished = ''
  const read = (chunk: Buffer) => {
    const lines = `${unfinished}${chunk}`.split('\n')
    unfinished = lines.pop() ?? ''
    heard.push(...lines.map(line => JSON.parse(line) as Message))
  }
  const note = (text: string) => void notes.push(text)
  const { clock, executions } = given
  const deps = mcpDeps({ note, ...(clock ? { clock } : {}), ...(executions ? { executions: () => executions } : {}) })
  const ended = serveMcpOnStdio(deps, { stdin, stdout, signal: new AbortController().signal })
  stdin.write(lineOf(initialize))
  if (reads) stdout.on('data', read)
  if (reads) await until(() => heard.length === 1, 'the answer of initialize')
  heard.length = 0
  return { stdin, stdout, heard, notes, ended }
}

const answersTo = async (...chunks: (string | Buffer)[]): Promise<Message[]> => {
  const { stdin, heard, ended } = await serve()
  for (const chunk of [...chunks, lineOf(ping('last'))]) stdin.write(chunk)
  await until(() => heard.some(({ id }) => id === 'last'), 'the last answer')
  stdin.end()
  await ended
  return heard.filter(({ id }) => id !== 'last')
}

const long = 'x'.repeat(1_100_000)

describe('a message that cannot be taken is answered, and the next one is served', () => {
  test.each<[string, string | Buffer, Message['id'], number]>([
    ['text', 'hello\n', null, -32_700],
    ['cut JSON', '{"jsonrpc":"2.0","id":5\n', null, -32_700],
    ['invalid UTF-8', Buffer.from('{"jsonrpc":"2.0","id":5,"method":"\xff"}\n', 'latin1'), null, -32_700],
    ['a batch', lineOf([ping(5), ping(6)]), null, -32_600],
    ['a number', '42\n', null, -32_600],
    ['another version', lineOf({ jsonrpc: '1.0', id: 5, method: 'ping' }), 5, -32_600],
    ['a message without a method', lineOf({ jsonrpc: '2.0', id: 5 }), 5, -32_600],
    ['parameters in a list', lineOf({ ...ping(5), params: [1] }), 5, -32_600],
    ['an unknown method', lineOf({ jsonrpc: '2.0', id: 5, method: 'nonsense' }), 5, -32_601],
    ['a long one, its id first', lineOf({ ...ping(5), params: { long } }), 5, -32_600],
    [
      'a long one, its id last',
      lineOf({ method: 'ping', params: { id: 6, long: `${long}"}{` }, id: 'a"b\\é' }),
      'a"b\\é',
      -32_600,
    ],
    ['a long one without an id', lineOf({ jsonrpc: '2.0', method: 'x', params: { id: 5, long } }), null, -32_600],
    ['a long one that is no JSON', `${long}\n`, null, -32_600],
  ])('%s', async (_, sent, id, code) => {
    const answers = await answersTo(sent)
    expect(answers).toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }])
  })

  test('blank lines, answers to nothing and notifications about nothing are passed over', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } }
    const unasked = { jsonrpc: '2.0', id: 99, result: {} }
    const malformed = { jsonrpc: '2.0', id: {}, error: 'x' }
    const messages = [cancelled, unasked, malformed, { jsonrpc: '2.0', method: 'notifications/nonsense' }]
    expect(await answersTo('\n \r\n', ...messages.map(lineOf))).toEqual([])
  })

  test.each(['[', '{"a":'])('arguments of 10,000 levels of %s', async open => {
    const deep = `${open.repeat(10_000)}${open === '[' ? '' : '1'}${(open === '[' ? ']' : '}').repeat(10_000)}`
    const call = (name: string, args: string) =>
      `{"jsonrpc":"2.0","id":"${name}","method":"tools/call","params":{"name":"${name}","arguments":${args}}}\n`
    const answers = await answersTo(
      call('execute', `{"execution":{"actions":${deep}}}`),
      call('click', `{"text":${deep}}`),
      `{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{"_meta":{"a":${deep}}}}\n`,
      `{"jsonrpc":"2.0","id":"nonsense","method":"nonsense","params":{"a":${deep}}}\n`,
    )
    expect(answers.map(({ id }) => id).sort()).toEqual(['click', 'execute', 'list', 'nonsense'])
    expect(JSON.stringify(answers)).not.toContain('call stack')
    expect(answers.find(({ id }) => id === 'click')).toMatchObject({
      result: { content: [{ text: expect.stringContaining('nested deeper than 128 levels') }] },
    })
  })

  test('a message that comes in pieces is one message', async () => {
    const [head = '', tail = ''] = [lineOf(ping(5)).slice(0, 7), lineOf(ping(5)).slice(7)]
    expect(await answersTo(head, tail)).toMatchObject([{ id: 5, result: {} }])
  })
})

test('a second request under an id that is in work is refused by that id, and the first one is answered', async () => {
  const executions = fakeExecutions()
  let answer = () => {}
  executions.answer = () =>
    new Promise(resolve => {
      answer = () => resolve(refusedWith('NODE_NOT_FOUND', { executionId: 'e1', deviceId: 'd1' }))
    })
  const { stdin, heard, ended } = await serve({ executions })
  const press = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'press', arguments: { key: 'home' } } }
  stdin.write(`${lineOf(press)}${lineOf(ping(7))}`)
  await until(() => heard.length === 1 && executions.requests.length === 1, 'the refusal')
  const message = expect.stringContaining('the id 7')
  expect(heard).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32_600, message } }])
  answer()
  await until(() => heard.length === 2, 'the answer')
  expect(heard[1]).toMatchObject({ id: 7, result: { isError: true } })
  stdin.write(lineOf(ping(7)))
  await until(() => heard.length === 3, 'the next answer')
  expect(heard[2]).toMatchObject({ id: 7, result: {} })
  stdin.end()
  await ended
})

test('a line that never ends is answered once, and is not kept', { timeout: 60_000 }, async () => {
  const { stdin, heard, ended } = await serve()
  const chunk = Buffer.alloc(1_024 * 1_024, 'x')
  for (let count = 0; count < 70; count += 1) stdin.write(chunk)
  await until(() => heard.length === 1, 'an answer')
  expect(heard).toMatchObject([{ id: null, error: { code: -32_600 } }])
  stdin.write(`\n${lineOf(ping(5))}`)
  await until(() => heard.length === 2, 'the next answer')
  expect(heard[1]).toMatchObject({ id: 5, result: {} })
  stdin.end()
  await ended
})

test('thousands of requests at once are all answered, and no listener is left over', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => void warnings.push(name)
  process.on('warning', onWarning)
  const { stdin, heard, ended } = await serve()
  const count = 3_000
  stdin.write(
    Array.from({ length: count }, (_, id) => lineOf({ ...ping(id), method: id % 50 ? 'ping' : 'tools/list' })).join(''),
  )
  await until(() => heard.length === count, 'the answers', 30_000)
  expect(new Set(heard.map(({ id }) => id)).size).toBe(count)
  stdin.end()
  await ended
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})

test('a client that stops reading is not read on, and counts as gone in the end', async () => {
  const clock = manualClock()
  const { stdin, stdout, notes, ended } = await serve({ reads: false, clock })
  let isTaken = true
  stdin.on('drain', () => {
    isTaken = true
  })
  let sent = 0
  for (; isTaken && sent < 20_000; sent += 100) {
    isTaken = stdin.write(
      Array.from({ length: 100 }, (_, id) => lineOf({ ...ping(sent + id), method: 'tools/list' })).join(''),
    )
    for (let turns = 0; turns < 200 && !isTaken; turns += 1) await new Promise(resolve => setImmediate(resolve))
  }
  expect(sent).toBeLessThan(20_000)
  expect(stdout.writableLength).toBeLessThan(16 * 1_024 * 1_024)
  clock.advance(60_000)
  await ended
  expect(notes.at(-1)).toContain('stopped reading')
})

test('a closed stdout ends it', async () => {
  const { stdin, stdout, ended } = await serve()
  stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  stdin.write(lineOf(ping(5)))
  await ended
})

/** `svc serve` as a command: what it says, and how it starts and ends. Its answers are tested with the server. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { startServe, startServeHere } from '../../../support/cli/serve.ts'
import { startLab } from '../../../support/executions/lab.ts'
import { call } from '../../../support/http/http-client.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-serve-command-')

test.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  'says where it listens on stderr, and ends in order with %s',
  async signal => {
    const { running, url } = await startServe({ env: { HOME: folder() } })
    expect(await (await fetch(`${url}/ping`)).json()).toEqual({ ok: true })
    running.child.kill(signal)
    expect(await running.ended).toMatchObject({ code: 0, stdout: '' })
  },
)

test.concurrent('says where its pages are, after the line that programs read', async () => {
  const serving = await startServeHere({ env: { HOME: folder() } })
  await until(() => serving.stderr().includes('/mcp'), 'the addresses')
  const [first, ...pages] = serving.stderr().split('\n')
  expect(first).toMatch(/^svc \S+ listens on http:\/\/127\.0\.0\.1:\d+$/)
  expect(pages.slice(0, 3)).toEqual([
    `Viewer:    ${serving.url}/inspector`,
    `Documents: ${serving.url}/docs`,
    `MCP:       ${serving.url}/mcp`,
  ])
  await serving.end()
})

test.concurrent('on every address, its pages are told with one that a browser can open', async () => {
  const serving = await startServeHere({ args: ['--host', '0.0.0.0'], env: { HOME: folder() } })
  await until(() => serving.stderr().includes('/mcp'), 'the addresses')
  expect(serving.stderr()).toMatch(/Viewer: +http:\/\/127\.0\.0\.1:\d+\/inspector/)
  await serving.end()
})

test.concurrent('a port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const ended = await runCliHere(['serve', '--port', port], { env: { HOME: folder() } })
  taken.close()
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code: 'SERVE_START_FAILED', message: expect.stringContaining('in use') })
})

test.concurrent('simulate on ports that are in use, or that there are not', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const env = { HOME: folder() }
  const inUse = await runCliHere(['simulate', '--port', port], { env })
  taken.close()
  expect([inUse.code, inUse.json()]).toMatchObject([1, { code: 'SERVE_START_FAILED', hint: expect.any(String) }])
  const none = await runCliHere(['simulate', '--port', '65535', '--count', '2'], { env })
  expect([none.code, none.json()]).toMatchObject([
    1,
    { code: 'USAGE', message: 'Ports 65535 to 65536 are out of range: 65535 is the last port.' },
  ])
})

test.concurrent('an origin that is none', async () => {
  const ended = await runCliHere(['serve', '--port', '0', '--allow-origin', 'example'], { env: { HOME: folder() } })
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code: 'SERVE_START_FAILED' })
})

test.concurrent.each([
  ['short', 'fifteen-letters', 'shorter than 16'],
  ['blanks only', ' '.repeat(20), 'a space'],
  ['a blank at its end', 'a-token-of-the-server ', 'a space'],
  ['a blank inside', 'a token of the server', 'a space'],
  ['a line break', 'a-token-of-the-server\n', 'a control character'],
  ['another control character', 'a-token-of-the\u0001server', 'control character'],
  ['not ASCII', 'a-tökên-of-the-server', 'non-ASCII'],
  ['longer than a header', 'x'.repeat(5_000), 'longer than 4096'],
])('a token that no caller could send, or that can be guessed: %s', async (_name, token, said) => {
  const ended = await runCliHere(['serve', '--port', '0'], { env: { HOME: folder(), SVC_SERVE_TOKEN: token } })
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({
    code: 'SERVE_START_FAILED',
    message: expect.stringContaining(said),
    hint: expect.stringContaining('16 or more'),
  })
  expect(ended.stdout + ended.stderr).not.toContain(token.trim() || token)
})

test.concurrent.each(['sixteen-letters!', ''])('a token that will do: %j', async token => {
  const { end } = await startServeHere({ env: { HOME: folder(), SVC_SERVE_TOKEN: token } })
  expect(await end()).toMatchObject({ code: 0, stderr: expect.stringContaining('listens on') })
})

test.concurrent('ending while a device does not answer: the caller learns what became of it, within one grace', async () => {
  const lab = await startLab({ faults: [{ after: 0, do: 'no-result', times: 1 }] })
  const env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
  const { url, end } = await startServeHere({ env })
  const answered = call(`${url}/snapshot`, { body: {} })
  await until(() => lab.services.journal().receipts()[0]?.state === 'dispatched', 'the dispatch')
  const begun = lab.services.clock.elapsed()
  const ended = end()
  const { status, headers, json } = await answered
  expect(status).toBe(500)
  expect(json).toMatchObject({ ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } })
  const [receipt] = lab.services.journal().receipts()
  expect(receipt).toMatchObject({ executionId: headers['svc-execution-id'], state: 'interrupted' })
  expect(await ended).toMatchObject({ code: 0 })
  expect(lab.services.clock.elapsed() - begun).toBeLessThan(9_000)
  await lab.close()
})

test.concurrent('two servers on any free port have streams of their own', async () => {
  const lab = await startLab()
  const env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
  const servers = [await startServeHere({ env }), await startServeHere({ env })]
  for (const { url } of servers) await call(`${url}/snapshot`, { body: {} })
  for (const { url } of servers) {
    const outcomes = lab.services.journal().records({ listener: `serve:${new URL(url).host}` })
    expect(outcomes).toMatchObject([{ event: { type: 'execution.settled', ok: true } }])
  }
  await Promise.all(servers.map(({ end }) => end()))
  await lab.close()
})

/** `svc serve` as a command: what it says, and how it starts and ends. Its answers are tested with the server. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { LISTENER_MACHINE } from '../../src/http/listener-stream.ts'
import { call } from '../support/http-client.ts'
import { startLab } from '../support/lab.ts'
import { type RunningCli, runCli, startCli } from '../support/run-cli.ts'
import { temporary } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const folder = temporary('svc-serve-command-')

const startServe = async (env: NodeJS.ProcessEnv): Promise<{ running: RunningCli; url: string }> => {
  const running = startCli(['serve', '--port', '0'], { env })
  await until(() => running.stderr().includes('\n'), 'the start line')
  const [, url = ''] = /listens on (\S+)/.exec(running.stderr()) ?? []
  return { running, url }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'says where it listens on stderr, and ends in order with %s',
  async signal => {
    const { running, url } = await startServe({ HOME: folder() })
    expect(await (await fetch(`${url}/ping`)).json()).toEqual({ ok: true })
    running.child.kill(signal)
    expect(await running.ended).toMatchObject({ code: 0, stdout: '' })
  },
)

test('a port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const ended = await runCli(['serve', '--port', port], { env: { HOME: folder() } })
  taken.close()
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code: 'SERVE_START_FAILED', message: expect.stringContaining('in use') })
})

test('simulate on ports that are in use, or that there are not', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const env = { HOME: folder() }
  const inUse = await runCli(['simulate', '--port', port], { env })
  taken.close()
  expect([inUse.code, inUse.json()]).toMatchObject([1, { code: 'SERVE_START_FAILED', hint: expect.any(String) }])
  const none = await runCli(['simulate', '--port', '65535', '--count', '2'], { env })
  expect([none.code, none.json()]).toMatchObject([1, { code: 'USAGE', message: 'There are no 2 ports from 65535 on.' }])
})

test('an origin that is none', async () => {
  const ended = await runCli(['serve', '--port', '0', '--allow-origin', 'example'], { env: { HOME: folder() } })
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code: 'SERVE_START_FAILED' })
})

test('ending while a device does not answer: the caller learns what became of it, within one grace', async () => {
  const lab = await startLab({ faults: [{ after: 0, do: 'no-result', times: 1 }] })
  const env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
  const { running, url } = await startServe(env)
  const answered = call(`${url}/snapshot`, { body: {} })
  await until(() => lab.services.journal().receipts()[0]?.state === 'dispatched', 'the dispatch')
  const begun = lab.services.clock.elapsed()
  running.child.kill('SIGTERM')
  const { status, headers, json } = await answered
  expect(status).toBe(500)
  expect(json).toMatchObject({ ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } })
  const [receipt] = lab.services.journal().receipts()
  expect(receipt).toMatchObject({ executionId: headers['svc-execution-id'], state: 'interrupted' })
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(lab.services.clock.elapsed() - begun).toBeLessThan(9_000)
  await lab.close()
})

test('two servers on any free port have streams of their own', async () => {
  const lab = await startLab()
  const env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
  const servers = [await startServe(env), await startServe(env)]
  for (const { url } of servers) await call(`${url}/snapshot`, { body: {} })
  const named = () => lab.services.journal().actors({ machine: LISTENER_MACHINE })
  await until(() => named().length === 2, 'a stream of each')
  const expected = servers.map(({ url }) => `serve:${new URL(url).host}`)
  expect(
    named()
      .map(({ actor }) => actor)
      .sort(),
  ).toEqual(expected.sort())
  for (const { running } of servers) running.child.kill('SIGTERM')
  for (const { running } of servers) await running.ended
  await lab.close()
})

/** `svc serve` as a command: what it says, and how it starts and ends. Its answers are tested with the server. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { runCli, startCli } from '../support/run-cli.ts'
import { temporary } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const folder = temporary('svc-serve-command-')

test.each(['SIGTERM', 'SIGINT'] as const)(
  'says where it listens on stderr, and ends in order with %s',
  async signal => {
    const running = startCli(['serve', '--port', '0'], { env: { HOME: folder() } })
    await until(() => running.stderr().includes('\n'), 'the start line')
    const [, url = ''] = /listens on (\S+)/.exec(running.stderr()) ?? []
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

test('an origin that is none', async () => {
  const ended = await runCli(['serve', '--port', '0', '--allow-origin', 'example'], { env: { HOME: folder() } })
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code: 'SERVE_START_FAILED' })
})

/** `svc webdriver` and `svc serve --webdriver` as commands: what they say, and what answers there. */
import { expect, test } from 'vitest'
import { runCliHere, startCliHere } from '../../support/cli/cli-here.ts'
import { startServeHere } from '../../support/cli/serve.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const folder = temporary('svc-command-webdriver-')

test.concurrent('svc webdriver says where clients find it, and serves nothing else than GET /ping', async () => {
  const { ended, stderr, interrupt } = startCliHere(['webdriver', '--port', '0'], { env: { HOME: folder() } })
  await until(() => stderr().includes('WebDriver:'), 'the server to listen')
  const [, url] = /^svc \S+ listens on (\S+)\nWebDriver: \1\n/.exec(stderr()) ?? []
  expect(await (await fetch(`${url}/ping`)).json()).toEqual({ ok: true })
  expect(await (await fetch(`${url}/status`)).json()).toMatchObject({ value: { ready: true } })
  const api = await fetch(`${url}/devices`)
  expect([api.status, ((await api.json()) as { value: { error: string } }).value.error]).toEqual([
    404,
    'unknown command',
  ])
  interrupt()
  expect((await ended).code).toBe(0)
})

test.concurrent('svc serve answers WebDriver where it is asked to, and otherwise has no such route', async () => {
  const plain = await startServeHere({ env: { HOME: folder() } })
  expect((await fetch(`${plain.url}/status`)).status).toBe(404)
  await plain.end()
  const both = await startServeHere({ args: ['--webdriver'], env: { HOME: folder() } })
  expect((await fetch(`${both.url}/status`)).status).toBe(200)
  expect((await fetch(`${both.url}/devices`)).headers.get('content-type')).toBe('application/json')
  await both.end()
})

test.concurrent('a port that is no port', async () => {
  const ended = await runCliHere(['webdriver', '--port', 'abc'], { env: { HOME: folder() } })
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code: 'USAGE', message: expect.stringContaining('--port') })
})

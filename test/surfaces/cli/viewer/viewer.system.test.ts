/** `svc inspect`, `svc executions timeline` and `svc executions trace` as a person calls them. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServeHere } from '../../../support/cli/serve.ts'
import { svcLab } from '../../../support/cli/svc-lab.ts'
import { call } from '../../../support/http/http-client.ts'
import { until } from '../../../support/until.ts'

const lab = svcLab()
const DIRECT = { SVC_NO_DAEMON: '1' }

test('an execution becomes a file and a timeline', async () => {
  const { svc, home } = await lab()
  const ran = await svc(['snapshot'], { env: DIRECT })
  expect(ran.code).toBe(0)
  const { executions } = JSON.parse((await svc(['executions', 'list'])).stdout)
  const id = executions[0].executionId
  const timeline = await svc(['executions', 'timeline', id, '--output', 'text'])
  expect(timeline.stdout).toMatch(/✓ Take a snapshot/)
  expect(JSON.parse((await svc(['executions', 'timeline', id, '--json'])).stdout).trace.id).toBe(id)
  const to = join(home, 'trace.html')
  const written = JSON.parse((await svc(['executions', 'trace', id, '--to', 'trace.html'])).stdout)
  expect(written).toMatchObject({ exported: true, kind: 'execution', id, to })
  expect(readFileSync(to, 'utf8')).toContain('Content-Security-Policy')
  const again = await svc(['executions', 'trace', id, '--to', 'trace.html'])
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('already exists')])
  const unknown = await svc(['executions', 'trace', 'nothing', '--to', 'other.html'])
  expect([unknown.code, unknown.stdout]).toEqual([1, expect.stringContaining('EXECUTION_NOT_FOUND')])
  expect(existsSync(join(home, 'other.html'))).toBe(false)
})

test('a run of flows has no trace of its own: its id lists its executions', async () => {
  const { svc } = await lab()
  const run = '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10'
  expect((await svc(['snapshot'], { env: { ...DIRECT, SVC_SKILL_RUN_ID: `${run}.1.1` } })).code).toBe(0)
  expect(JSON.parse((await svc(['executions', 'list', '--skill-run', run])).stdout).count).toBe(1)
  const hint = `It is a run of flows: name one of its executions, which \`svc executions list --skill-run ${run}\` lists.`
  for (const words of [
    ['timeline', run],
    ['trace', run, '--to', 'run.html'],
  ]) {
    expect(JSON.parse((await svc(['executions', ...words])).stdout)).toMatchObject({
      code: 'EXECUTION_NOT_FOUND',
      hint,
    })
  }
})

test('inspect opens no server of another home, though its journal stands at the same record', async () => {
  const { svc, env, home } = await lab()
  const others = { ...env, SVC_HOME: join(home, 'other') }
  for (const SVC_HOME of [others.SVC_HOME, join(home, '.svc')])
    await svc(['snapshot'], { env: { ...DIRECT, SVC_HOME } })
  const serving = await startServeHere({ env: others })
  const refused = await svc(['inspect', '--no-open', '--port', new URL(serving.url).port])
  await serving.end()
  expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
    1,
    expect.objectContaining({ code: 'SERVE_START_FAILED', hint: expect.stringContaining('does not show this home') }),
  ])
})

/** A server of a version that does not say which home it shows, and what is no server of svc at all. */
test.each(['{"ok":true,"head":0,"actors":[],"older":false}', 'null', '<html>'])(
  'nor a listener that answers %s',
  async body => {
    const { svc } = await lab()
    const listener = createServer((_, response) => void response.end(body)).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const refused = await svc(['inspect', '--no-open', '--port', String(port)])
    listener.close()
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'SERVE_START_FAILED' })
  },
)

test('inspect finds the server of its home, and starts one where there is none', async () => {
  const { svc, start, env } = await lab()
  await svc(['snapshot'], { env: DIRECT })
  const serving = await startServeHere({ env })
  const { port } = new URL(serving.url)
  const found = await svc(['inspect', 'device:a b', '--no-open', '--port', port])
  expect(JSON.parse(found.stdout)).toEqual({ url: `${serving.url}/inspector#/actors/device%3Aa%20b`, started: false })
  await serving.end()
  const started = start(['inspect', '--no-open', '--port', '0'])
  await until(() => started.stdout().includes('\n'), 'a server to be started')
  const { url, started: isNew } = JSON.parse(started.stdout())
  expect(isNew).toBe(true)
  expect((await call(url)).text).toContain('<title>svc inspector</title>')
  started.child.kill('SIGTERM')
  expect((await started.ended).code).toBe(0)
})

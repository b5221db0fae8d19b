/** What a click by element costs over WebDriver: against a POST /execute that clicks the same node, at the same server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainEnv } from '../support/run-program.ts'
import { CLI } from './executions.ts'
import { inTurn, post, start, stopAll, us } from './http-load.ts'
import type { BenchRow } from './row.ts'

const CALLS = 300
const NODE_ID = 'com.example.table:id/cell_70'

const serve = async (home: string, serial: string) => {
  const env = { ...plainEnv(), HOME: home, SVC_HOME: home, SVC_TCP_DEVICES: serial }
  const child = spawn(process.execPath, [CLI, 'serve', '--webdriver', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  while (!/127\.0\.0\.1:\d+/.test(text)) {
    const [chunk] = (await once(child.stderr, 'data')) as [Buffer]
    text += chunk.toString()
  }
  child.stderr.resume()
  return { child, port: /127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? '' }
}

const asking =
  (port: string) =>
  async (path: string, body: unknown, method = 'POST') => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) })
    const { value } = (await answer.json()) as { value: Record<string, string> }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }

const clickOf = (deviceId: string) =>
  JSON.stringify({
    execution: {
      commandId: 'bench',
      taskId: 'bench',
      source: 'bench',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 20_000,
      actions: [{ id: 'tap', type: 'click', params: { matcher: { resourceId: NODE_ID } } }],
    },
    deviceId,
  })

export const webDriverRows = async (): Promise<BenchRow[]> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const agent = new Agent({ keepAlive: true })
  const { said } = await start('http-fleet', '2')
  const [serial = '', other = ''] = said.split(',')
  const { child, port } = await serve(home, said)
  try {
    const ask = asking(port)
    const capabilities = { alwaysMatch: { platformName: 'Android', 'appium:udid': serial } }
    const { sessionId } = await ask('/session', { capabilities })
    const session = `/session/${sessionId}`
    const { ELEMENT } = await ask(`${session}/element`, { using: 'id', value: NODE_ID })
    const [value = 0, floor = 0] = await inTurn(
      [
        () => post(port, `${session}/element/${ELEMENT}/click`, agent),
        () => post(port, '/execute', agent, clickOf(other)),
      ],
      CALLS,
    )
    await ask(session, undefined, 'DELETE')
    return [us('WebDriver, a click by element', value, 'POST /execute of the same click', floor)]
  } finally {
    agent.destroy()
    child.kill('SIGTERM')
    await once(child, 'exit')
    await stopAll()
    rmSync(home, { recursive: true, force: true })
  }
}

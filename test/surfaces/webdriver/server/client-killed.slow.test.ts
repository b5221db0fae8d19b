/** A client that is killed as a process keeps no phone: its session ends by newCommandTimeout, also where a command was under way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { plainEnv } from '../../../support/run-program.ts'
import { until } from '../../../support/until.ts'
import { startWebDriverLab, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

/** Opens a session, says its id, and sends one command after the other until it is killed. */
const CLIENT = `
const [url, path, body] = process.argv.slice(1)
const ask = async (below, sent) => {
  const answer = await fetch(url + below, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  })
  return (await answer.json()).value
}
const { sessionId } = await ask('/session', {
  capabilities: { alwaysMatch: { platformName: 'Android', 'appium:newCommandTimeout': 2, timeouts: { implicit: 600000 } } },
})
console.log(sessionId)
for (;;) {
  await ask('/session/' + sessionId + path, JSON.parse(body))
  await new Promise(resolve => setTimeout(resolve, 300))
}
`
const IDLE_MS = 2_000

let lab: WebDriverLab
const clients: ChildProcess[] = []
beforeAll(async () => {
  lab = await startWebDriverLab()
})
afterEach(async () => {
  for (const child of clients.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child)
})
afterAll(() => lab.close())

const kill = async (child: ChildProcess) => {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

const startClient = async (path: string, body: object) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CLIENT, lab.url, path, JSON.stringify(body)], {
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  clients.push(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    said += chunk
  })
  await until(() => said.includes('\n'), 'the client to have its session')
  return { child, sessionId: said.trim() }
}

const newest = (sessionId: string) => lab.lab.services.journal().last(`session:${sessionId}`)
const isOver = (sessionId: string) => newest(sessionId)?.to === 'ended.idle'

test('between two commands', async () => {
  const { child, sessionId } = await startClient('/back', {})
  const begun = Date.now()
  await until(() => Date.now() - begun > 1.5 * IDLE_MS, 'a session that is used to outlast its timeout')
  expect(newest(sessionId)?.to).toMatch(/^active\./)
  expect((await lab.create()).value).toMatchObject({ error: 'session not created', data: { holder: { sessionId } } })
  await kill(child)
  await until(() => isOver(sessionId), 'the session to end')
  await (await lab.session()).end()
})

test('while its command waits for an element that never comes', async () => {
  const { child, sessionId } = await startClient('/element', { using: 'id', value: 'nothing' })
  await until(() => newest(sessionId)?.to === 'active.commanding', 'the command to begin')
  await kill(child)
  await until(() => isOver(sessionId), 'the session to end')
  await (await lab.session()).end()
})

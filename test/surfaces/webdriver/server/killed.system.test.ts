/** Servers that are killed: with a click under way, and with a session that nobody ended. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { journalPath } from '../../../../src/runtime/home.ts'
import { openJournal } from '../../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../../src/runtime/processes/processes.ts'
import { runCli } from '../../../support/cli/run-cli.ts'
import { until } from '../../../support/until.ts'
import { askWire, elementIdIn } from '../../../support/webdriver/webdriver-lab.ts'
import {
  CAPABILITIES,
  startWebDriverProcesses,
  type WebDriverProcesses,
} from '../../../support/webdriver/webdriver-process.ts'

let processes: WebDriverProcesses
beforeEach(async () => {
  processes = await startWebDriverProcesses()
})
afterEach(() => processes.close())

const serve = () => processes.serve()

/** Long enough for the kill to come in the middle of it. */
const PRESS_MS = 6_000

const longPressOn = (element: string) => ({
  actions: [
    {
      type: 'pointer',
      id: 'finger',
      parameters: { pointerType: 'touch' },
      actions: [
        { type: 'pointerMove', duration: 0, x: 0, y: 0, origin: { 'element-6066-11e4-a52e-4f735466cecf': element } },
        { type: 'pointerDown', button: 0 },
        { type: 'pause', duration: PRESS_MS },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ],
})

const lastOf = (actor: string) => {
  const path = journalPath(`${processes.lab.home}/.svc`)
  const journal = openJournal({ path, alive: isAlive, clock: systemClock(), readOnly: true } as never)
  try {
    const records = [...journal.records({ actor, limit: 100 })]
    return { to: journal.last(actor)?.to, records }
  } finally {
    journal.close()
  }
}

test('kill -9 in mid-command: the session is interrupted, its command names the execution, and the phone is free', async () => {
  const first = await serve()
  const created = await askWire(first.url, 'POST', '/session', CAPABILITIES)
  const { sessionId } = created.value
  const element = elementIdIn(
    await askWire(first.url, 'POST', `/session/${sessionId}/element`, { using: 'accessibility id', value: 'log in' }),
  )
  const lost = askWire(first.url, 'POST', `/session/${sessionId}/actions`, longPressOn(element)).then(
    () => 'answered',
    () => 'lost',
  )
  const phone = processes.lab.fleet.devices[0]?.phone
  const begunOf = () =>
    lastOf(`session:${sessionId}`).records.findLast(({ event }) => event.type === 'command.begun')?.event
  const isAtIt = () => {
    const begun = begunOf()
    const executionId = String(begun?.executionId)
    const isPressing = String(begun?.path).endsWith('/actions')
    return isPressing && phone?.executions().some(({ wireId }) => wireId.startsWith(`${executionId}.`)) === true
  }
  await until(isAtIt, 'the phone to have it')
  first.child.kill('SIGKILL')
  await first.ended
  expect(await lost).toBe('lost')

  const second = await serve()
  const again = await askWire(second.url, 'POST', '/session', CAPABILITIES)
  expect(again.status).toBe(200)
  const { to, records } = lastOf(`session:${sessionId}`)
  expect(to).toBe('ended.interrupted')
  const executionId = String(records.findLast(({ event }) => event.type === 'command.begun')?.event.executionId)
  const receipt = await runCli(['executions', 'show', executionId], { env: processes.env })
  expect(receipt.json()).toMatchObject({
    execution: {
      executionId,
      state: 'interrupted',
      result: { error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    },
  })
  const ofSession = await runCli(['executions', 'list', '--task', sessionId], { env: processes.env })
  expect(ofSession.json()).toMatchObject({ count: 1, executions: [{ executionId, taskId: sessionId }] })
  const late = await askWire(second.url, 'GET', `/session/${sessionId}`)
  expect(late.value).toMatchObject({
    error: 'invalid session id',
    message: expect.stringContaining('its process ended'),
  })
})

test('SIGTERM during a find that waits: it is told that the server ends', async () => {
  const server = await serve()
  const created = await askWire(server.url, 'POST', '/session', CAPABILITIES)
  const path = `/session/${created.value.sessionId}`
  await askWire(server.url, 'POST', `${path}/timeouts`, { implicit: 60_000 })
  const found = askWire(server.url, 'POST', `${path}/element`, { using: 'accessibility id', value: 'nowhere' })
  const begun = () => lastOf(`session:${created.value.sessionId}`).records.at(-1)?.event
  await until(() => String(begun()?.path).endsWith('/element'), 'the find to begin')
  server.child.kill('SIGTERM')
  expect((await found).value).toMatchObject({
    error: 'invalid session id',
    message: expect.stringMatching(/is over: its server end(s|ed)\. /),
  })
  expect((await server.ended).code).toBe(0)
})

test('SIGTERM: sessions end with their server', async () => {
  const server = await serve()
  const created = await askWire(server.url, 'POST', '/session', CAPABILITIES)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(lastOf(`session:${created.value.sessionId}`).to).toBe('ended.closed')
})

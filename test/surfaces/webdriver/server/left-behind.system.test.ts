/** Sessions whose server is killed: what they began on the phone ends before the phone is used again. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '../../../support/cli/run-cli.ts'
import { until } from '../../../support/until.ts'
import { askWire } from '../../../support/webdriver/webdriver-lab.ts'
import {
  CAPABILITIES,
  startWebDriverProcesses,
  type WebDriverProcesses,
} from '../../../support/webdriver/webdriver-process.ts'

let processes: WebDriverProcesses
beforeEach(async () => {
  processes = await startWebDriverProcesses({ SVC_NO_DAEMON: '1' })
})
afterEach(() => processes.close())

const serve = () => processes.serve()

const airplane = async (): Promise<string> => {
  const read = await runCli(['settings', 'get', 'airplane_mode'], { env: processes.env })
  return JSON.stringify(read.json())
}

/** A session that has changed a setting and records the screen, and a server that is killed then. */
const killedSession = async () => {
  const before = await airplane()
  const server = await serve()
  const { sessionId } = (await askWire(server.url, 'POST', '/session', CAPABILITIES)).value
  const mobile = (script: string, args: object) =>
    askWire(server.url, 'POST', `/session/${sessionId}/execute/sync`, { script: `mobile: ${script}`, args: [args] })
  expect((await mobile('setConnectivity', { airplaneMode: true })).status).toBe(200)
  expect((await mobile('startMediaProjectionRecording', {})).status).toBe(200)
  expect(await airplane()).not.toBe(before)
  server.child.kill('SIGKILL')
  await server.ended
  return { before, sessionId }
}

test('the next command on the phone puts its settings back and ends its recording first, and says so', async () => {
  const { before, sessionId } = await killedSession()
  const pressed = await runCli(['press', 'home'], { env: processes.env })
  expect([pressed.code, pressed.stderr]).toEqual([0, expect.stringContaining(`session ${sessionId} ended without`)])
  expect(pressed.stderr).toContain('the recording of the screen')
  expect(await airplane()).toBe(before)
  const status = (await runCli(['record', 'status'], { env: processes.env })).json<{ recording: { state: string } }>()
  expect(status.recording.state).toBe('saved')
  const again = await runCli(['press', 'home'], { env: processes.env })
  expect(again.stderr).not.toContain('ended without')
})

test('so does the next server, when it starts', async () => {
  const { before } = await killedSession()
  const [one, two] = await Promise.all([serve(), serve()])
  const said = () => `${one.stderr()}${two.stderr()}`.split('ended without putting').length - 1
  await until(() => said() > 0, 'one of two servers to undo it')
  await until(async () => (await airplane()) === before, 'the setting to be back')
  expect(said()).toBe(1)
})

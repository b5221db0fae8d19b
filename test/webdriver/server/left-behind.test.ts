/** Sessions whose server is killed: what they began on the phone ends before the phone is used again. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Lab, startLab } from '../../support/lab.ts'
import { type RunningCli, runCli, startCli } from '../../support/run-cli.ts'
import { until } from '../../support/until.ts'
import { askWire, vaultScenario } from '../../support/webdriver-lab.ts'

let lab: Lab
const running: RunningCli[] = []
beforeEach(async () => {
  lab = await startLab({ scenario: vaultScenario() })
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await lab.close()
})

const envOf = () => ({
  HOME: lab.home,
  SVC_NO_DAEMON: '1',
  SVC_TCP_DEVICES: lab.fleet.devices.map(({ serial }) => serial).join(','),
})
const urlIn = (stderr: string) => /listens on (\S+)\n/.exec(stderr)?.[1]

const serve = async () => {
  const started = startCli(['webdriver', '--port', '0'], { env: envOf() })
  running.push(started)
  await until(() => urlIn(started.stderr()) !== undefined, 'the server to listen')
  return { url: urlIn(started.stderr()) ?? '', ...started }
}

const CAPABILITIES = { capabilities: { alwaysMatch: { platformName: 'Android' } } }

const airplane = async (): Promise<string> => {
  const read = await runCli(['settings', 'get', 'airplane_mode'], { env: envOf() })
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
  const pressed = await runCli(['press', 'home'], { env: envOf() })
  expect([pressed.code, pressed.stderr]).toEqual([0, expect.stringContaining(`session ${sessionId} ended without`)])
  expect(pressed.stderr).toContain('the recording of the screen')
  expect(await airplane()).toBe(before)
  const status = (await runCli(['record', 'status'], { env: envOf() })).json<{ recording: { state: string } }>()
  expect(status.recording.state).toBe('saved')
  const again = await runCli(['press', 'home'], { env: envOf() })
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

/** A run that is killed has switched animations off: they are put back before the phone is used again. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { runCli, startCli } from '../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'
import { until } from '../../support/until.ts'

let lab: Lab
beforeEach(async () => {
  const nodes = [{ text: 'Pay', onTap: { count: { payments: 1 } } }, { text: 'Payments {payments}' }]
  const shop = {
    ...{ package: 'com.example.shop', label: 'Shop', screens: { home: { nodes } }, start: 'home' },
    counters: { payments: { kept: true } },
  }
  const parsed = parseScenario({ timeScale: 0.05, front: 'com.example.shop', apps: [shop] })
  if (!parsed.ok) throw new Error(parsed.error)
  lab = await startLab({ scenario: parsed.scenario })
  mkdirSync(join(lab.home, 'flows'))
  writeFileSync(join(lab.home, 'flows', 'config.yaml'), 'platform:\n  android:\n    disableAnimations: true\n')
  // The phone never shows the text: the run waits until it is killed.
  const flow =
    'appId: com.example.shop\n---\n- tapOn: Pay\n- extendedWaitUntil:\n    visible: Nothing\n    timeout: 60000\n'
  writeFileSync(join(lab.home, 'flows', 'pay.yaml'), flow)
})
afterEach(() => lab.close())

const env = () => ({
  HOME: lab.home,
  SVC_NO_DAEMON: '1',
  SVC_TCP_DEVICES: lab.fleet.devices.map(({ serial }) => serial).join(','),
})
const animations = async () => JSON.stringify((await runCli(['settings', 'get', 'animations'], { env: env() })).json())

test('the next command puts them back, says so, and does it once', async () => {
  const before = await animations()
  const run = startCli(['test', join(lab.home, 'flows')], { env: env(), cwd: lab.home })
  try {
    await until(async () => (await animations()) !== before, 'the run to switch animations off')
  } finally {
    run.child.kill('SIGKILL')
    await run.ended
  }
  expect(await animations()).not.toBe(before)
  const pressed = await runCli(['press', 'home'], { env: env() })
  expect([pressed.code, pressed.stderr]).toEqual([
    0,
    expect.stringMatching(/flow run \S+ ended without putting \S+ in order: undid the settings animations/),
  ])
  expect(await animations()).toBe(before)
  expect((await runCli(['press', 'home'], { env: env() })).stderr).not.toContain('ended without')
})

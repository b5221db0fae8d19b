/** `svc webdriver` as processes before one simulated phone: they are killed at the end, if a test has not done it. */

import { type RunningCli, startCli } from '../cli/run-cli.ts'
import { type Lab, startLab } from '../executions/lab.ts'
import { until } from '../until.ts'
import { vaultScenario } from './webdriver-lab.ts'

export const CAPABILITIES = { capabilities: { alwaysMatch: { platformName: 'Android' } } }

const urlIn = (stderr: string) => /listens on (\S+)\n/.exec(stderr)?.[1]

export interface WebDriverProcesses {
  lab: Lab
  env: Record<string, string>
  serve(): Promise<RunningCli & { url: string }>
  close(): Promise<void>
}

export const startWebDriverProcesses = async (more: Record<string, string> = {}): Promise<WebDriverProcesses> => {
  const lab = await startLab({ scenario: vaultScenario() })
  const running: RunningCli[] = []
  const env = {
    HOME: lab.home,
    SVC_TCP_DEVICES: lab.fleet.devices.map(({ serial }) => serial).join(','),
    ...more,
  }
  return {
    lab,
    env,
    async serve() {
      const started = startCli(['webdriver', '--port', '0'], { env })
      running.push(started)
      await until(() => urlIn(started.stderr()) !== undefined, 'the server to listen')
      return { url: urlIn(started.stderr()) ?? '', ...started }
    },
    async close() {
      for (const { child, ended } of running.splice(0)) {
        child.kill('SIGKILL')
        await ended
      }
      await lab.close()
    },
  }
}

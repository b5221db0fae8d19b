/** The scenario of a simulated device that was given none: a launcher in front, Settings, and a few small apps. */
import { parseScenario, type Scenario, type WrittenScenario } from '../scenario.ts'
import { smallApps } from './apps.ts'
import { settingsApp } from './settings.ts'

const written: WrittenScenario = { apps: [...smallApps, settingsApp] }

export const defaultScenario = (): Scenario => {
  const parsed = parseScenario(written)
  if (!parsed.ok) throw new Error(`the default scenario is wrong: ${parsed.error}`)
  return parsed.scenario
}

/** The scenario of a simulated phone: rows that count their taps, and the applications that requests change. */
import { parseScenario, type Scenario } from '../../src/simulator/scenario/scenario.ts'
import { counterScenario } from '../long/phone-scenario.ts'
import { appsFor } from './app-steps.ts'
import type { Ask } from './plan.ts'

export type OperatorWays = Scenario['device']['operator']['ways']

const scenarioWith = (ways: OperatorWays, apps: ReturnType<typeof appsFor>): Scenario => {
  const counter = counterScenario()
  const written = { ...counter, apps: [...(counter.apps ?? []), ...apps], device: { operator: { ways } } }
  const parsed = parseScenario(written)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}
const scenarios = new Map<string, Scenario>()
export const scenarioOf = (ways: OperatorWays, asks: readonly Ask[]): Scenario => {
  const apps = appsFor(asks)
  const key = `${ways} ${apps.map(app => `${app.package} ${app.permissions[0]?.state}`).join()}`
  const known = scenarios.get(key) ?? scenarioWith(ways, apps)
  if (apps.length === 0) scenarios.set(key, known)
  return known
}

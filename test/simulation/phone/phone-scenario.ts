/** The scenario of a simulated phone: rows that count their taps, and the applications that requests change. */
import type { OperatorCapability } from '../../../src/contracts/device/operator.ts'
import { parseScenario, type Scenario } from '../../../src/simulator/scenario/scenario.ts'
import { counterScenario } from '../../long/trial/phone-scenario.ts'
import type { Ask } from '../plan/plan.ts'
import { appsFor } from './app-steps.ts'

export type OperatorWays = Scenario['device']['operator']['ways']

type WrittenApps = ReturnType<typeof appsFor>

const parsedWith = (ways: OperatorWays, apps: WrittenApps): Scenario => {
  const counter = counterScenario()
  const parsed = parseScenario({
    ...counter,
    apps: [...(counter.apps ?? []), ...apps],
    device: { operator: { ways } },
  })
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}
const once = <T>(known: Map<string, T>, key: string, make: () => T): T => {
  const made = known.get(key) ?? make()
  known.set(key, made)
  return made
}
const counters = new Map<string, Scenario>()
const parsedApps = new Map<string, Scenario['apps']>()

/** Each application is parsed once, whichever requests come with it. */
const appOf = (app: WrittenApps[number]): Scenario['apps'] =>
  once(parsedApps, `${app.package} ${app.permissions[0]?.state}`, () => parsedWith('none', [app]).apps.slice(1))

export const scenarioOf = (
  ways: OperatorWays,
  asks: readonly Ask[],
  capabilities?: readonly OperatorCapability[] | undefined,
): Scenario => {
  const counter = once(counters, ways, () => parsedWith(ways, []))
  const { operator } = counter.device
  const device = capabilities
    ? { ...counter.device, operator: { ...operator, capabilities: [...capabilities] } }
    : counter.device
  return { ...counter, device, apps: [...counter.apps, ...appsFor(asks).flatMap(appOf)] }
}

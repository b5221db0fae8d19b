/** A scenario: what is on a simulated device and how it behaves, as checked from JSON. */
import * as v from 'valibot'
import { closedObject } from '../../contracts/json/objects.ts'
import { decimal } from '../../contracts/json/scalars.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { App, type ScenarioApp } from './app.ts'
import { Device } from './device.ts'
import { type Fault, Faults } from './fault.ts'
import { Name } from './field-schemas.ts'
import { LAUNCHER_PACKAGE, launcherFor } from './launcher.ts'
import { checked, type Parsed, refuse } from './problem.ts'
import { referenceProblems } from './references.ts'

const TIME_SCALE = { min: 0.001, max: 1_000, default: 1 } as const

export const WrittenScenario = closedObject({
  device: v.exactOptional(Device, {}),
  apps: v.array(App),
  /** The package of the app that is the home screen; left out, a launcher with an icon for each app. */
  home: v.exactOptional(Name),
  /** The package of the app in front at the beginning; left out, the home screen. */
  front: v.exactOptional(Name),
  /** Sleeps, waits and `appearsAfter.ms` take this many times as long as they say. */
  timeScale: v.exactOptional(decimal(TIME_SCALE), TIME_SCALE.default),
  faults: v.exactOptional(Faults, []),
  /** Read by editors, for completion. */
  $schema: v.exactOptional(v.string()),
})
export type WrittenScenario = v.InferInput<typeof WrittenScenario>

export interface Scenario {
  device: Device
  /** The launcher included. */
  apps: readonly ScenarioApp[]
  home: ScenarioApp
  front: ScenarioApp
  timeScale: number
  faults: readonly Fault[]
}

/** Never throws, whatever it is given. */
export const parseScenario = (json: unknown): Parsed<'scenario', Scenario> => {
  const result = checked(WrittenScenario, json, true)
  if (!result.ok) return result
  const written = result.value
  const problems = referenceProblems(written)
  if (problems.length > 0) return refuse(problems, json)
  const named = (name: string | undefined) => written.apps.find(app => app.package === name)
  const home = named(written.home ?? LAUNCHER_PACKAGE) ?? launcherFor(written.apps)
  const apps = written.apps.includes(home) ? written.apps : [home, ...written.apps]
  const { device, timeScale, faults } = written
  return { ok: true, scenario: { device, apps, home, front: named(written.front) ?? home, timeScale, faults } }
}

/** The same of the text of a file. */
export const readScenario = (text: string): Parsed<'scenario', Scenario> => {
  try {
    return parseScenario(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    return { ok: false, error: `(top): is not valid JSON: ${messageOf(error)}` }
  }
}

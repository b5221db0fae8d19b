/** A scenario: what is on a simulated device and how it behaves, as checked from JSON. */
import * as v from 'valibot'
import { closedObject } from '../../contracts/objects.ts'
import { decimal } from '../../contracts/scalars.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { APP_KEYS, App, COUNTER_KEYS, DIALOG_KEYS, INTENT_KEYS, SCREEN_KEYS, type ScenarioApp } from './app.ts'
import { DEVICE_KEYS, Device, DURATION_KEYS, OPERATOR_KEYS, SIZE_KEYS } from './device.ts'
import { Fault, Faults } from './fault.ts'
import { Name, NodeChanges } from './field-schemas.ts'
import { LAUNCHER_PACKAGE, launcherFor } from './launcher.ts'
import { NODE_KEYS } from './node.ts'
import { checked, type Parsed, refuse } from './problem.ts'
import { CONDITION_KEYS, NODE_STATE_KEYS, RANGE_KEYS, REACTION_KEYS } from './reaction.ts'
import { referenceProblems } from './references.ts'

/** By the last key on the way that says what kind of object it holds. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  apps: APP_KEYS,
  screens: SCREEN_KEYS,
  nodes: NODE_KEYS,
  intents: INTENT_KEYS,
  device: DEVICE_KEYS,
  size: SIZE_KEYS,
  operator: OPERATOR_KEYS,
  faults: Object.keys(Fault.entries),
  appearsAfter: ['ms', 'reads'],
  disappearsAfter: ['ms', 'reads'],
  set: Object.keys(NodeChanges.entries),
  count: ['set'],
  counter: RANGE_KEYS,
  counters: COUNTER_KEYS,
  node: NODE_STATE_KEYS,
  dialog: DIALOG_KEYS,
  durations: DURATION_KEYS,
  if: CONDITION_KEYS,
  showIf: CONDITION_KEYS,
  firstOf: REACTION_KEYS,
  onTap: REACTION_KEYS,
  onLongPress: REACTION_KEYS,
  onKey: REACTION_KEYS,
  onText: ['when', ...REACTION_KEYS],
  onScroll: ['when', ...REACTION_KEYS],
}

/** Members whose keys the author names: one of these names may be `nodes`. */
const NAMING = ['screens', 'set', 'onKey', 'count', 'counter', 'counters', 'node']

const keysAt = (path: readonly PropertyKey[], top: readonly string[]): readonly string[] => {
  const kinds = path.filter((_, index) => !NAMING.includes(String(path[index - 1])))
  const kind = kinds.findLast(key => typeof key === 'string' && Object.hasOwn(KEYS, key))
  return kind === undefined ? top : (KEYS[String(kind)] ?? top)
}

const TIME_SCALE = { min: 0.001, max: 1_000, default: 1 } as const

const scenarioEntries = {
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
}
export const WrittenScenario = closedObject(scenarioEntries)
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
  const result = checked(WrittenScenario, json, path => keysAt(path, Object.keys(scenarioEntries)))
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

/** One opened screen of an app, with everything that is gone when it is left: scroll positions, typed text, the focus. */
import type { ScenarioApp, ScenarioScreen } from '../scenario/app.ts'
import type { Moment, ScenarioNode } from '../scenario/node.ts'

export interface Entry {
  app: ScenarioApp
  screen: ScenarioScreen
  /** When it came up, by the clock of the device. */
  since: number
  /** How often its hierarchy was read. */
  reads: number
  /** In pixels from the start of each list. */
  scrolled: Map<ScenarioNode, number>
  typed: Map<ScenarioNode, string>
  /** Undefined as long as nobody has moved it: then it is where the scenario says. */
  focus?: { field: ScenarioNode | undefined; cursor: number } | undefined
}

export const newEntry = (app: ScenarioApp, screen: ScenarioScreen, since: number): Entry => ({
  app,
  screen,
  since,
  reads: 0,
  scrolled: new Map(),
  typed: new Map(),
})

const isPast = ({ ms = 0, reads = -1 }: Moment, entry: Entry, now: number): boolean =>
  now - entry.since >= ms && entry.reads > reads

/** True when time and readings let the node be shown. */
export const isDue = ({ appearsAfter, disappearsAfter }: ScenarioNode, entry: Entry, now: number): boolean =>
  (appearsAfter === undefined || isPast(appearsAfter, entry, now)) &&
  (disappearsAfter === undefined || !isPast(disappearsAfter, entry, now))

/** One opened screen of an app, with everything that is gone when it is left: scroll positions, typed text, the focus. */
import { everyNode, type ScenarioApp, type ScenarioScreen } from '../scenario/app.ts'
import type { Moment, ScenarioNode } from '../scenario/node.ts'
import { currentNodeOf } from './current-node.ts'
import type { State } from './state.ts'

export interface OpenScreen {
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
  /** The pages that were left by going back to this one, the next one first; gone once another page is opened. */
  ahead?: OpenScreen[] | undefined
  /** A screen of the system hears here the id of each node that is tapped. */
  onTapped?: ((id: string | undefined) => void) | undefined
}

export const newOpenScreen = (app: ScenarioApp, screen: ScenarioScreen, since: number): OpenScreen => ({
  app,
  screen,
  since,
  reads: 0,
  scrolled: new Map(),
  typed: new Map(),
})

const isPast = ({ ms = 0, reads = -1 }: Moment, entry: OpenScreen, now: number): boolean =>
  now - entry.since >= ms && entry.reads > reads

/** True when time and readings let the node be shown. */
export const isDue = ({ appearsAfter, disappearsAfter }: ScenarioNode, entry: OpenScreen, now: number): boolean =>
  (appearsAfter === undefined || isPast(appearsAfter, entry, now)) &&
  (disappearsAfter === undefined || !isPast(disappearsAfter, entry, now))

const isFocused = (node: ScenarioNode, state: State) => state.changed(node)?.focused ?? node.focused

/** The node that keys go to. */
export const focusOf = ({ focus, screen }: OpenScreen, state: State): ScenarioNode | undefined =>
  focus ? focus.field : everyNode(screen.nodes).find(node => isFocused(node, state))

export const textOf = (field: ScenarioNode, entry: OpenScreen, state: State): string =>
  currentNodeOf(field, entry.app, entry, state).text

/** The cursor goes to the end, whatever the field holds. */
export const focusOn = (entry: OpenScreen, field: ScenarioNode, state: State): void => {
  entry.focus = { field, cursor: textOf(field, entry, state).length }
}

export const loseFocus = (entry: OpenScreen, field: ScenarioNode, state: State): void => {
  if (focusOf(entry, state) === field) entry.focus = { field: undefined, cursor: 0 }
}

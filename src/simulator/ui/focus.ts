/** Finds the node of a screen that has the focus, and the place of the cursor in its text. */
import { everyNode } from '../scenario/app.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Entry } from './entry.ts'
import { lookOf } from './look.ts'
import type { State } from './state.ts'

const isFocused = (node: ScenarioNode, state: State) => state.changed(node)?.focused ?? node.focused

/** The node that keys go to. */
export const focusOf = ({ focus, screen }: Entry, state: State): ScenarioNode | undefined =>
  focus ? focus.field : everyNode(screen.nodes).find(node => isFocused(node, state))

export const textOf = (field: ScenarioNode, entry: Entry, state: State): string =>
  lookOf(field, entry.app, entry, state).text

/** The cursor goes to the end, whatever the field holds. */
export const focusOn = (entry: Entry, field: ScenarioNode, state: State): void => {
  entry.focus = { field, cursor: textOf(field, entry, state).length }
}

export const loseFocus = (entry: Entry, field: ScenarioNode, state: State): void => {
  if (focusOf(entry, state) === field) entry.focus = { field: undefined, cursor: 0 }
}

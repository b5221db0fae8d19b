/** One opened screen of an app, with everything that is gone when it is left: scroll positions, typed text, the focus. */
import type { ScenarioApp, ScenarioScreen } from '../scenario/app.ts'
import type { Moment, ScenarioNode } from '../scenario/node.ts'
import type { NodeChanges } from '../scenario/reaction.ts'

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
  focus?: { field: ScenarioNode; cursor: number } | undefined
}

export const newEntry = (app: ScenarioApp, screen: ScenarioScreen, since: number): Entry => ({
  app,
  screen,
  since,
  reads: 0,
  scrolled: new Map(),
  typed: new Map(),
})

/** A node with what has been changed on it. */
export interface Look {
  text: string
  contentDesc: string
  checked: boolean
  enabled: boolean
  selected: boolean
}

export type Changes = ReadonlyMap<ScenarioNode, NodeChanges>

export const lookOf = (node: ScenarioNode, entry: Entry, changes: Changes): Look => {
  const [changed, typed] = [changes.get(node), entry.typed.get(node)]
  if (changed === undefined && typed === undefined) return node
  return {
    text: typed ?? changed?.text ?? node.text,
    contentDesc: changed?.contentDesc ?? node.contentDesc,
    checked: changed?.checked ?? node.checked,
    enabled: changed?.enabled ?? node.enabled,
    selected: changed?.selected ?? node.selected,
  }
}

const isPast = ({ ms = 0, reads = -1 }: Moment, entry: Entry, now: number): boolean =>
  now - entry.since >= ms && entry.reads > reads

export const isShown = (node: ScenarioNode, entry: Entry, changes: Changes, now: number): boolean =>
  !(changes.get(node)?.hidden ?? node.hidden) &&
  (node.appearsAfter === undefined || isPast(node.appearsAfter, entry, now)) &&
  (node.disappearsAfter === undefined || !isPast(node.disappearsAfter, entry, now))

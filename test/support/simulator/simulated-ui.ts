/** A screen of a scenario written in place, and looking at what is on it. */
import type { Point, UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { parseScenario, type Scenario, type WrittenScenario } from '../../../src/simulator/scenario/scenario.ts'
import { createLayouts } from '../../../src/simulator/ui/layout-cache.ts'
import { createUi, type Ui } from '../../../src/simulator/ui/ui.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'

export type Written = WrittenScenario
export type WrittenApp = Written['apps'][number]
export type WrittenScreen = WrittenApp['screens'][string]

export const scenarioOf = (written: unknown): Scenario => {
  const parsed = parseScenario(written)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}

/** An app `com.example` with these screens; the first one is in front. */
export const appOf = (screens: WrittenApp['screens'], more: Partial<WrittenApp> = {}): Written => ({
  front: 'com.example',
  apps: [{ package: 'com.example', label: 'Example', screens, ...more }],
})

export interface TestUi extends Ui {
  clock: ManualClock
  toasts: string[]
}

export const uiOf = (written: Written): TestUi => {
  const scenario = scenarioOf(written)
  const clock = manualClock()
  const toasts: string[] = []
  const metrics = scenario.device.size
  const ui = createUi({ scenario, clock, metrics, layouts: createLayouts(), toast: text => toasts.push(text) })
  return { ...ui, clock, toasts }
}

export const nodesOf = ({ roots }: Pick<UiTree, 'roots'>): UiNode[] =>
  roots.flatMap(node => [node, ...nodesOf({ roots: node.children })])

export const textsOf = (tree: UiTree): string[] => nodesOf(tree).flatMap(({ text }) => (text === '' ? [] : [text]))

const labelled = (node: UiNode, label: string) =>
  node.text === label || node.contentDesc === label || node.resourceId === label

/** By text, content description or resource id. */
export const nodeIn = (tree: UiTree, label: string): UiNode => {
  const found = nodesOf(tree).find(node => labelled(node, label))
  if (!found) throw new Error(`${label} is not on the screen: ${textsOf(tree).join(', ')}`)
  return found
}

export const middleOf = ({ bounds: { left, top, right, bottom } }: UiNode): Point => ({
  x: Math.floor((left + right) / 2),
  y: Math.floor((top + bottom) / 2),
})

export const tap = (ui: Ui, label: string): void => ui.tap(middleOf(nodeIn(ui.tree(), label)))

/** Keeps changes to nodes and counters since the apps of a phone were started. Ends with the app, unless kept. */
import { everyNode, type ScenarioApp } from '../scenario/app.ts'
import type { NodeChanges } from '../scenario/field-schemas.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import { COUNTER_LIMIT, type CountStep } from '../scenario/reaction.ts'

const within = (value: number) => Math.max(-COUNTER_LIMIT, Math.min(COUNTER_LIMIT, value))

export const createState = () => {
  const changes = new Map<ScenarioNode, NodeChanges>()
  const counters = new Map<ScenarioApp, Map<string, number>>()

  const startOf = (app: ScenarioApp, name: string) => app.counters.get(name)?.start ?? 0
  const counter = (app: ScenarioApp, name: string) => counters.get(app)?.get(name) ?? startOf(app, name)
  const after = (app: ScenarioApp, name: string, step: CountStep): number => {
    if (step === 'reset') return startOf(app, name)
    return typeof step === 'number' ? counter(app, name) + step : step.set
  }

  return {
    changed: (node: ScenarioNode): NodeChanges | undefined => changes.get(node),
    change: (node: ScenarioNode, changed: NodeChanges) => void changes.set(node, { ...changes.get(node), ...changed }),
    counter,
    count(app: ScenarioApp, name: string, step: CountStep) {
      const values = counters.get(app) ?? new Map<string, number>()
      counters.set(app, values.set(name, within(after(app, name, step))))
    },
    /** Drops the state of a stopped app; `kept` drops what outlives it too, as when its data is cleared. */
    forget(app: ScenarioApp, { kept }: { kept: boolean } = { kept: false }) {
      for (const screen of app.screens.values()) {
        for (const node of everyNode(screen.nodes)) if (kept || !node.kept) changes.delete(node)
      }
      for (const [name, { kept: isKept }] of app.counters) {
        if (kept || !isKept) counters.get(app)?.delete(name)
      }
    },
    /** No node is other than the scenario says. */
    isUntouched: () => changes.size === 0,
  }
}

export type State = ReturnType<typeof createState>

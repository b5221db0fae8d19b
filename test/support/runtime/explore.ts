/** Walks a machine through everything its sampled events can reach, by the pure transition alone. */

import {
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createActor,
  initialTransition,
} from 'xstate'
import type { ChartName } from '../../../machines/charts.ts'
import { type AnyEvent, everyEvent } from './arbitrary-event.ts'

export interface Explored {
  /** Snapshots that differ in state or context, with how they were reached. */
  snapshots: Map<string, { snapshot: AnyMachineSnapshot; path: string[] }>
  /** Edges that were taken. */
  taken: Set<AnyTransitionDefinition>
  /** `state <- event` that no edge takes. */
  unhandled: Set<string>
  events: AnyEvent[]
}

const MAX_SNAPSHOTS = 4_000

/** Numbers that decide something. */
const DECISIVE = new Set(['dispatchedAt', 'looks', 'retries', 'moves'])
/** What is kept for an answer, and decides nothing. */
const SAID = new Set(['last', 'failure', 'joined'])

/** Only whether there is one decides something. */
const PRESENT = new Set(['cut', 'tool', 'process', 'repaired'])

/** What tells two snapshots apart: their state and their context, with times and answers left out. */
const keyOf = (snapshot: AnyMachineSnapshot) =>
  JSON.stringify([snapshot.value, snapshot.context], (key, value) => {
    if (SAID.has(key)) return undefined
    if (PRESENT.has(key)) return value !== null
    return typeof value === 'number' && !DECISIVE.has(key) ? 0 : value
  })

/** The scope that xstate's own `transition` makes anew for each event, which takes longer than the transition. */
const inertScope = (logic: AnyStateMachine): AnyActorScope => {
  const self = createActor(logic)
  const nothing = () => {}
  const ports = { logger: nothing, defer: nothing, stopChild: nothing, emit: nothing, actionExecutor: nothing }
  return { ...ports, self, system: self.system, id: '', sessionId: '' }
}

export const explore = (machine: ChartName, logic: AnyStateMachine): Explored => {
  const events = everyEvent(machine)
  const [first] = initialTransition(logic, undefined)
  const start = first as AnyMachineSnapshot
  const snapshots = new Map([[keyOf(start), { snapshot: start, path: [] as string[] }]])
  const scope = inertScope(logic)
  const taken = new Set<AnyTransitionDefinition>()
  const unhandled = new Set<string>()
  for (const { snapshot, path } of snapshots.values()) {
    if (snapshot.status !== 'active') continue
    for (const event of events) {
      const edges: AnyTransitionDefinition[] = logic.getTransitionData(snapshot, event)
      for (const edge of edges) taken.add(edge)
      // The definition of `snapshot.can`, which would look for the edges again.
      if (!edges.some(({ target, actions }) => target !== undefined || actions.length > 0)) {
        unhandled.add(`${JSON.stringify(snapshot.value)} <- ${event.type}`)
        continue
      }
      const next = logic.transition(snapshot, event, scope)
      const key = keyOf(next)
      if (!snapshots.has(key) && snapshots.size < MAX_SNAPSHOTS) {
        snapshots.set(key, { snapshot: next, path: [...path, event.type] })
      }
    }
  }
  return { snapshots, taken, unhandled, events }
}

/** Walks a machine through everything its sampled events can reach, by the pure transition alone. */

import type { AnyTransitionDefinition } from 'xstate'
import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, transition } from 'xstate'
import type { MachineName } from '../../machines/catalogue.ts'
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
const DECISIVE = new Set(['dispatchedAt', 'looks'])
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

export const explore = (machine: MachineName, logic: AnyStateMachine): Explored => {
  const events = everyEvent(machine)
  const [first] = initialTransition(logic, undefined)
  const start = first as AnyMachineSnapshot
  const snapshots = new Map([[keyOf(start), { snapshot: start, path: [] as string[] }]])
  const taken = new Set<AnyTransitionDefinition>()
  const unhandled = new Set<string>()
  for (const { snapshot, path } of snapshots.values()) {
    if (snapshot.status !== 'active') continue
    for (const event of events) {
      if (!snapshot.can(event)) unhandled.add(`${JSON.stringify(snapshot.value)} <- ${event.type}`)
      for (const edge of logic.getTransitionData(snapshot, event)) taken.add(edge)
      const [next] = transition(logic, snapshot, event)
      const key = keyOf(next as AnyMachineSnapshot)
      if (!snapshots.has(key) && snapshots.size < MAX_SNAPSHOTS) {
        snapshots.set(key, { snapshot: next as AnyMachineSnapshot, path: [...path, event.type] })
      }
    }
  }
  return { snapshots, taken, unhandled, events }
}

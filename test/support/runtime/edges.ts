/** Every edge of a machine as its chart declares it. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import type { EdgeMeta } from '../../../machines/rows.ts'

export interface Edge {
  /** `source: event -> targets`, unique enough to name in a failure. */
  name: string
  source: string
  event: string
  meta: EdgeMeta
  definition: AnyTransitionDefinition
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)]

export const statesOf = (machine: AnyStateMachine): AnyStateNode[] => nodesOf(machine.root)

export const leavesOf = (machine: AnyStateMachine): AnyStateNode[] =>
  statesOf(machine).filter(node => Object.keys(node.states).length === 0)

export const edgesOf = (machine: AnyStateMachine): Edge[] =>
  statesOf(machine).flatMap(node =>
    [...node.transitions.entries()].flatMap(([event, definitions]) =>
      definitions.map(definition => ({
        name: `${node.id}: ${event} -> ${(definition.target ?? []).map(target => target.id).join(',') || '(stays)'}`,
        source: node.id,
        event,
        meta: (definition.meta ?? {}) as EdgeMeta,
        definition,
      })),
    ),
  )

/** The machine's own transition with the journal in between: it is worked out, recorded, and only then done. */
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { StoredEvent } from '../contracts/journal.ts'

type Scope = Parameters<AnyStateMachine['transition']>[2]
type Action = Parameters<Scope['actionExecutor']>[0]

/** A transition that has been worked out: nothing of it has happened yet. */
export interface PreparedTransition {
  before: AnyMachineSnapshot
  event: StoredEvent & { at: number; body?: unknown }
  after: AnyMachineSnapshot
  actions: readonly Action[]
  /** The machine has no use for the event in this state. */
  isUnhandled: boolean
}

interface RecordedLogic {
  /** To make the one actor of. */
  logic: AnyStateMachine
  prepare(before: AnyMachineSnapshot, event: PreparedTransition['event']): PreparedTransition
  /** Lets the actor take the step: `send` must hand it the event. */
  takeStep(prepared: PreparedTransition, send: () => void): void
}

/** True for events of xstate itself: starting or ending an actor, and the end of its children. */
const isInternal = ({ type }: { type: string }) => type.startsWith('xstate.')

export const recordedLogic = (machine: AnyStateMachine): RecordedLogic => {
  let scope: Scope | undefined
  let performed: PreparedTransition | undefined

  const transition: AnyStateMachine['transition'] = (before, event, given) => {
    if (isInternal(event)) return machine.transition(before, event, given)
    const step = performed
    if (!step || step.event !== event || step.before !== before) {
      throw new Error(`${machine.id} was sent ${event.type}, which is not recorded`)
    }
    for (const action of step.actions) given.actionExecutor(action)
    return step.after
  }
  const restoreSnapshot: AnyStateMachine['restoreSnapshot'] = (snapshot, given) => {
    scope = given
    return machine.restoreSnapshot(snapshot, given)
  }

  return {
    logic: Object.assign(Object.create(machine) as AnyStateMachine, { transition, restoreSnapshot }),
    prepare(before, event) {
      if (!scope) throw new Error(`${machine.id} has no actor yet`)
      const actions: Action[] = []
      const after = machine.transition(before, event, { ...scope, actionExecutor: action => void actions.push(action) })
      return { before, event, after, actions, isUnhandled: after === before && actions.length === 0 }
    },
    takeStep(prepared, send) {
      performed = prepared
      try {
        send()
      } finally {
        performed = undefined
      }
    },
  }
}

/** The machine's own transition with the journal in between: what it comes to is recorded before any of it is done. */
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { StoredEvent } from '../contracts/journal.ts'

export interface Transition {
  before: AnyMachineSnapshot
  event: StoredEvent & { at: number; body?: unknown }
  after: AnyMachineSnapshot
  /** The machine has no use for the event in this state. */
  isUnhandled: boolean
}

/** Of xstate itself: what it says to an actor to start or end it, and what children say when they end. */
const isInternal = ({ type }: { type: string }) => type.startsWith('xstate.')

type Scope = Parameters<AnyStateMachine['transition']>[2]
type Action = Parameters<Scope['actionExecutor']>[0]

/**
 * `record` says whether the journal has it. If not, the machine stays where it is and does nothing: the actions of the
 * transition are held back until it is recorded.
 */
export const recordedLogic = (logic: AnyStateMachine, record: (transition: Transition) => boolean): AnyStateMachine => {
  const transition: AnyStateMachine['transition'] = (before, event, scope) => {
    if (isInternal(event)) return logic.transition(before, event, scope)
    const actions: Action[] = []
    const after = logic.transition(before, event, { ...scope, actionExecutor: action => void actions.push(action) })
    const isUnhandled = after === before && actions.length === 0
    if (!record({ before, event: event as Transition['event'], after, isUnhandled })) return before
    for (const action of actions) scope.actionExecutor(action)
    return after
  }
  return Object.assign(Object.create(logic) as AnyStateMachine, { transition })
}

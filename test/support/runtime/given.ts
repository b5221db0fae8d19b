/** `given(machine, events).when(event)`: what state a machine is in then, and what it said. Pure: no actor is started. */
import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  initialTransition,
  transition,
} from 'xstate'
import type { StoredEvent } from '../../../src/contracts/records/journal.ts'
import { statePath } from '../../../src/runtime/fold.ts'

interface Action {
  type: string
  params?: unknown
}

/** What each running port was given, by its id. */
const inputsOf = ({ children }: AnyMachineSnapshot): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(children as Record<string, AnyActorRef | undefined>).map(([id, child]) => [
      id,
      (child?.getSnapshot() as { input?: unknown } | undefined)?.input,
    ]),
  )

const emittedIn = (actions: readonly Action[]): EventObject[] =>
  actions.filter(({ type }) => type === 'xstate.emit').map(({ params }) => (params as { event: EventObject }).event)

export const given = (logic: AnyStateMachine, events: readonly StoredEvent[], input?: unknown) => {
  const begin = initialTransition(logic, input as never)[0] as AnyMachineSnapshot
  const before = events.reduce<AnyMachineSnapshot>(
    (snapshot, event) => transition(logic, snapshot, event)[0] as AnyMachineSnapshot,
    begin,
  )
  return {
    state: statePath(before.value),
    when(event: StoredEvent) {
      const [after, actions] = transition(logic, before, event)
      const snapshot = after as AnyMachineSnapshot
      return {
        state: statePath(snapshot.value),
        emitted: emittedIn(actions as readonly Action[]),
        sent: (actions as readonly Action[]).filter(({ type }) => type === 'xstate.sendTo').length,
        ports: Object.keys(snapshot.children),
        inputs: inputsOf(snapshot),
        context: snapshot.context,
        snapshot,
      }
    },
  }
}

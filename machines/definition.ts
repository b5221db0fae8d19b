/** What the runtime must know about a machine beyond its chart: how it is recorded, recovered and read back. */
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { Outcome, StoredEvent } from '../src/contracts/journal.ts'
import type { Receipt } from '../src/contracts/receipt.ts'

export interface Step {
  before: AnyMachineSnapshot | undefined
  event: StoredEvent & { at: number; body?: unknown }
  after: AnyMachineSnapshot
}

export interface Definition {
  logic: AnyStateMachine
  /** Version of the event vocabulary; grows when the shape of an event changes. */
  version: number
  /** What recovery appends to an actor whose host died while it carried the tag `in-flight`. */
  interrupted: (snapshot: AnyMachineSnapshot, at: number) => StoredEvent & { at: number }
  /** The receipt that a step opens or changes. Runs once, live; never in a fold. */
  receipt?: (step: Step) => (Receipt & { skillRunId?: string | undefined }) | undefined
  /** What the step has ended and through which listener it came: that one tells its outcome. Runs once, live. */
  outcome?: (step: Step) => Outcome | undefined
  /** `upcast[k]` turns an event of version k into one of version k + 1. */
  upcast: Readonly<Record<number, (event: StoredEvent) => StoredEvent>>
}

/** The tag of states whose work has an owner and must not be repeated by anyone else. */
export const IN_FLIGHT = 'in-flight'

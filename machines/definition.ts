/** The facts about a machine that the runtime needs beyond its chart: how to record, recover and read it back. */
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { Evidence } from '../src/contracts/executions/evidence.ts'
import type { Receipt } from '../src/contracts/executions/receipt.ts'
import type { RecordedOutcome, StoredEvent } from '../src/contracts/records/journal.ts'

/** The evidence on an execution that came after its end. */
export interface LearnedOfReceipt {
  executionId: string
  evidence: Evidence
}

export interface Step {
  before: AnyMachineSnapshot | undefined
  event: StoredEvent & { at: number; body?: unknown }
  after: AnyMachineSnapshot
}

export interface Definition {
  logic: AnyStateMachine
  /** Version of the event vocabulary; grows when the shape of an event changes. */
  version: number
  /**
   * The event that recovery appends to an actor whose host died while it carried the tag `in-flight`. `boot` names this run of
   * the machine, where the system does.
   */
  interrupted: (snapshot: AnyMachineSnapshot, at: number, boot: string | undefined) => StoredEvent & { at: number }
  /** The receipt that a step opens or changes. Runs once, live; never in a fold. */
  receipt?: (step: Step) => (Receipt & { skillRunId?: string | undefined }) | undefined
  /** The evidence that a step brings on an execution that is over, for its receipt. Runs once, live. */
  learned?: (step: Step) => LearnedOfReceipt | undefined
  /** The outcome of the work that the step ended, for the listener that it came through. Runs once, live. */
  outcome?: (step: Step) => RecordedOutcome | undefined
  /**
   * Types of events that any process may record while another one owns the actor: they change neither its work nor its
   * ports, and its owner takes them in before its own next event.
   */
  shared?: readonly string[]
  /** `upcast[k]` turns an event of version k into one of version k + 1. */
  upcast: Readonly<Record<number, (event: StoredEvent) => StoredEvent>>
}

/** The tag of states whose work has an owner and must not be repeated by anyone else. */
export const IN_FLIGHT = 'in-flight'

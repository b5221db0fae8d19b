/** The receipt of an accepted execution: what became of it, also after a crash. Times are epoch milliseconds. */
import * as v from 'valibot'
import { unansweredEntries } from '../fleet.ts'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { EXECUTIONS_SEARCHED_MAX } from '../limits/limits.ts'
import { Evidence, EvidenceSource, ReceiptOutcome, StepOutcome } from './evidence.ts'
import { ExecutionResult } from './execution-result.ts'

export const ReceiptState = v.picklist(['waiting', 'accepted', 'dispatched', 'settled', 'interrupted'])
export type ReceiptState = v.InferOutput<typeof ReceiptState>

/** The execution of such a receipt may still act on its device. */
export const isReceiptInFlight = (state: ReceiptState): boolean => state === 'accepted' || state === 'dispatched'

/** The execution owns its device, or did. */
export const wasAccepted = ({ accepted }: Pick<Receipt, 'accepted'>): boolean => accepted !== false

/** If `dispatchedAt` is absent, nothing was ever sent to the device. */
export const Receipt = openObject({
  executionId: v.string(),
  commandId: v.string(),
  taskId: v.string(),
  deviceId: v.string(),
  operatorPackage: v.exactOptional(v.string()),
  /** In a fleet: the host that has it. */
  host: v.exactOptional(v.string()),
  state: ReceiptState,
  /**
   * One word says how it ended. `unknown`: it is not over, or it was sent and nobody can say how it ended; then another
   * word may still take its place, once.
   */
  outcome: v.exactOptional(ReceiptOutcome),
  /** The skill run that caused it. */
  skillRunId: v.exactOptional(v.string()),
  /** The execution that this one goes on with, after its last proven step. */
  resumes: v.exactOptional(v.string()),
  /** The execution that goes on with this one; one of which nothing was sent does not count. Looks at one receipt tell it. */
  resumedBy: v.exactOptional(v.string()),
  /** False while it waits for its device, and for good when it left the queue: then nothing acted. */
  accepted: v.exactOptional(v.literal(false)),
  /** With `accepted: false`: when it began to wait. */
  acceptedAt: count,
  /** Its place in the queue of its device while it waits: 1 for the one whose turn is next. Looks at one receipt tell it. */
  place: v.exactOptional(count),
  /** How long it waited for its device. */
  waitedMs: v.exactOptional(count),
  dispatchedAt: v.exactOptional(count),
  settledAt: v.exactOptional(count),
  result: v.exactOptional(ExecutionResult),
  /** Evidence that came after its end, where no envelope had come. */
  evidence: v.exactOptional(Evidence),
  /** The actions of the request, in the receipt of one execution, as long as its payload is kept. */
  actions: v.exactOptional(
    v.array(openObject({ id: v.string(), type: v.string(), title: v.exactOptional(v.string()) })),
  ),
  /** The receipt of one execution tells what is known of each action; `source` says from whom, and `at` since when. */
  steps: v.exactOptional(
    v.array(
      openObject({
        id: v.string(),
        actionType: v.string(),
        outcome: StepOutcome,
        source: v.exactOptional(v.picklist(['result', ...EvidenceSource.options])),
        at: v.exactOptional(count),
      }),
    ),
  ),
  /** The phone was asked when this was read: it is still at work on the list, at this step. */
  runningStep: v.exactOptional(v.string()),
  /** Where it is in doubt: who was asked when this was read, and why that did not end the doubt. */
  undecided: v.exactOptional(v.string()),
  /**
   * Present where an execution was sent and has no envelope, or a step of it failed that may have acted all the same: the
   * steps that are proven to have run, and the steps that may have.
   */
  executedSteps: v.exactOptional(v.array(v.string())),
  doubtfulSteps: v.exactOptional(v.array(v.string())),
})
export type Receipt = v.InferOutput<typeof Receipt>

export const olderField = (older: boolean | undefined): { older?: true } => (older ? { older: true } : {})

/** A sentence for people and models: a list that was chosen by outcome is not whole. */
export const olderSentence = `Only the newest ${EXECUTIONS_SEARCHED_MAX} executions were looked at; narrow the list by device, task or skill run to look further back.`

/** For an id that no receipt has. */
export const RECEIPTS_HINT = 'Receipts are kept for 7 days. List them with `GET /executions`.'

/** For a result that leaves in doubt what has happened: whoever reads it has the receipt already. */
export const unknownOutcomeHint = (executionId: string): string =>
  `Look at the screen before you repeat anything. Resuming with \`POST /executions/${executionId}/resume\` names the steps that are in doubt, or goes on after the last step that is proven.`

/** For a caller that lost its answer: the receipt tells what happened, also later. */
export const receiptHint = (executionId: string): string =>
  `See \`GET /executions/${executionId}\` for what became of it.`

/** Printed by the CLI. */
export const ReceiptOutput = openObject({ execution: Receipt })

export const ReceiptsOutput = openObject({
  executions: v.array(Receipt),
  count,
  /** Where they were chosen by their outcome: older executions were not looked at. */
  older: v.exactOptional(v.literal(true)),
  ...unansweredEntries,
})

const ok = v.literal(true)

export const ReceiptResponse = openObject({ ok, ...ReceiptOutput.entries })

export const ReceiptsResponse = openObject({ ok, ...ReceiptsOutput.entries })
export type ReceiptsResponse = v.InferOutput<typeof ReceiptsResponse>

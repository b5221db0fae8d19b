/**
 * Section on receipts: what was asked, and which steps of an execution without an envelope have run, and which may have;
 * as a resumption tells it.
 */
import { actionWords } from '../../contracts/executions/action-words.ts'
import type { Evidence, EvidencedOutcome } from '../../contracts/executions/evidence.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import { isoTime } from '../../contracts/executions/told-by.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import { proofOf } from './proven.ts'
import { type RecordedExecution, recordedExecution } from './recorded.ts'
import { stepOutcomes } from './step-outcomes.ts'

type RecordReader = Pick<Journal, 'records' | 'last' | 'body'>
type Told = Pick<Receipt, 'actions' | 'steps' | 'executedSteps' | 'doubtfulSteps' | 'result'>

/** A message names so many steps of a kind. */
const NAMED_MAX = 5

interface KnownSteps {
  executedSteps: string[]
  doubtfulSteps: string[]
}

const hasNoEnvelope = (receipt: StoredReceipt): boolean =>
  isSettled(receipt) && receipt.result?.ok === false && receipt.dispatchedAt !== undefined

const knownSteps = (receipt: StoredReceipt, recorded: RecordedExecution): KnownSteps => {
  const { proven, doubtful } = proofOf(receipt, recorded)
  return {
    executedSteps: recorded.dispatch.execution.actions.slice(0, proven).map(({ id }) => id),
    doubtfulSteps: doubtful.map(({ id }) => id),
  }
}

const named = (steps: readonly string[]): string => {
  const rest = steps.length - NAMED_MAX
  const ids = steps.slice(0, NAMED_MAX).map(id => JSON.stringify(id))
  return `${steps.length === 1 ? 'step' : 'steps'} ${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const sentence = ({ executedSteps, doubtfulSteps }: KnownSteps): string => {
  const ran = executedSteps.length === 0 ? 'No step is known to have run' : `Known to have run: ${named(executedSteps)}`
  return doubtfulSteps.length === 0 ? `${ran}.` : `${ran}; may have run: ${named(doubtfulSteps)}.`
}

/** Other failures of an execution that was sent say in their details what was done. */
const ENDED_FROM_OUTSIDE = ['EXECUTION_CANCELLED', 'EXECUTION_INTERRUPTED']

const NO_DOUBT = 'Whatever else may have run changes nothing on the device.'
const DOUBT = /; it may have executed\.$/

/** The message of an answer, once more is known than when it was answered. */
export const withoutDoubt = (message: string): string => message.replace(DOUBT, '.')

const noDoubtHint = ({ executedSteps }: KnownSteps, executionId: string): string =>
  executedSteps.length === 0
    ? 'Send it again: nothing on the device can have been changed by what is not known to have run.'
    : `\`POST /executions/${executionId}/resume\` goes on after the steps that have run; what else may have run changed nothing.`

/** Where all that may have run only looks, it makes no difference if it did. */
const withSentence = (error: ErrorObject, steps: KnownSteps, executionId: string): ErrorObject => {
  if (!ENDED_FROM_OUTSIDE.includes(error.code)) return error
  if (steps.doubtfulSteps.length > 0) return { ...error, message: `${error.message} ${sentence(steps)}` }
  const message = `${withoutDoubt(error.message)} ${sentence(steps)} ${NO_DOUBT}`
  return { ...error, message, hint: noDoubtHint(steps, executionId) }
}

const TELLS = {
  operator: 'The phone told',
  log: 'The log of the phone told',
} as const satisfies Partial<Record<Evidence['source'], string>>

/** "The phone told at 2026-01-02T10:00:07.700Z that" */
const teller = ({ source, at }: Evidence): string =>
  source === 'progress' ? 'By the record that svc kept,' : `${TELLS[source]} at ${isoTime(at)} that`

type Decisive = Evidence & { outcome: EvidencedOutcome }

const isDecisive = (evidence: Evidence | undefined): evidence is Decisive => evidence?.outcome !== undefined

interface Decided {
  evidence: Decisive
  steps: KnownSteps
  failedStep: string | undefined
  executionId: string
}

/** Evidence decided it later: the doubt of the answer is over. */
const withEvidence = (error: ErrorObject, { evidence, steps, failedStep, executionId }: Decided): ErrorObject => {
  const told = `${withoutDoubt(error.message)} ${teller(evidence)}`
  const { outcome } = evidence
  if (outcome === 'done')
    return { ...error, message: `${told} all of its steps are done.`, hint: 'Nothing is left to do.' }
  if (outcome === 'not_sent') return { ...error, message: `${told} nothing was sent.`, hint: 'Send it again.' }
  const end = failedStep === undefined ? 'not all of its steps are done' : `step ${JSON.stringify(failedStep)} failed`
  const failed = { ...error, message: `${told} ${end}. ${sentence(steps)}` }
  return steps.doubtfulSteps.length > 0 ? failed : { ...failed, hint: noDoubtHint(steps, executionId) }
}

/** A journal that cannot be read tells nothing more. */
const orNothing = <T>(read: () => T | undefined): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof JournalError) return undefined
    throw error
  }
}

/** For one receipt that is looked at: its payload is read. The answer of a cancelled execution comes before its last step is over: later looks tell more. */
export const toldSteps = (journal: () => Journal, receipt: StoredReceipt): Told =>
  orNothing((): Told | undefined => {
    const recorded = recordedExecution(journal(), receipt)
    if (!recorded) return undefined
    const actions = recorded.dispatch.execution.actions.map(action => ({
      id: action.id,
      type: action.type,
      title: actionWords(action),
    }))
    const told = { actions, steps: stepOutcomes(receipt, recorded) }
    // Nobody was answered by a host that died: what is known by now is the result.
    const result = receipt.state === 'interrupted' && recorded.learned ? recorded.learned : receipt.result
    if (result?.ok && result.envelope.status !== 'success') {
      const steps = knownSteps(receipt, recorded)
      return { ...told, result, ...(steps.doubtfulSteps.length > 0 ? steps : {}) }
    }
    if (result?.ok) return { ...told, result }
    if (!hasNoEnvelope(receipt) || result?.ok !== false) return told
    const steps = knownSteps(receipt, recorded)
    const { executionId, evidence } = receipt
    const failedStep = told.steps.find(({ outcome }) => outcome === 'failed')?.id
    const error = isDecisive(evidence)
      ? withEvidence(result.error, { evidence, steps, failedStep, executionId })
      : withSentence(result.error, steps, executionId)
    return { ...told, ...steps, result: { ...result, error } }
  }) ?? {}

/** True where an execution was sent, has no envelope, and a step that changes something may have run; also where the journal does not tell. */
export const mayHaveChanged = (
  journal: RecordReader,
  receipt: StoredReceipt,
  request?: JournalRecord | undefined,
): boolean => {
  if (!hasNoEnvelope(receipt)) return false
  const recorded = orNothing(() => recordedExecution(journal, receipt, request))
  return !recorded || proofOf(receipt, recorded).doubtful.length > 0
}

/** The answer to a cancelled or interrupted execution that had been sent: with the steps that are known to have run. */
export const withKnownSteps = (
  error: ErrorObject,
  executionId: string,
  journal: RecordReader & Pick<Journal, 'receipt'>,
): ErrorObject => {
  if (!ENDED_FROM_OUTSIDE.includes(error.code)) return error
  const receipt = orNothing(() => journal.receipt(executionId))
  if (!receipt || !hasNoEnvelope(receipt)) return error
  const recorded = orNothing(() => recordedExecution(journal, receipt))
  return recorded ? withSentence(error, knownSteps(receipt, recorded), executionId) : error
}

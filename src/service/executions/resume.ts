/** Section on receipts, resume: an execution that did not end well goes on after its last proven step, once. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureExtra, failure } from '../../contracts/failures/failures.ts'
import { defined } from '../../contracts/json/json.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import type { Executor } from './execute.ts'
import { ownKey } from './idempotency.ts'
import type { Executed, ExecutionOrder } from './order.ts'
import { proofOf } from './proven.ts'
import { type RecordedExecution, recordedExecution } from './recorded.ts'
import { noReceipt } from './refusals.ts'
import type { Resumption, ResumptionChange } from './service.ts'
import { validateExecution } from './validate.ts'

const keyOf = (executionId: string) => ownKey('resume', executionId)

const refuse = (error: ErrorObject): Resumption & { ok: false } => ({ ok: false, error })

const refused = (executionId: string, message: string, { details, hint }: FailureExtra = {}) =>
  refuse(failure('RESUME_REFUSED', message, { details: { executionId, ...details }, hint }))

const AGAIN = { hint: 'To run its steps again, send a new execution.' }

const inFlight = ({ executionId, deviceId, state, commandId, acceptedAt }: StoredReceipt) =>
  refuse(
    failure('EXECUTION_CONFLICT_IN_FLIGHT', 'The execution is still running: there is nothing to resume yet.', {
      details: { executionId, deviceId, state, holder: { executionId, commandId, since: acceptedAt } },
      hint: `Wait until it has settled, or cancel it with \`DELETE /executions/${executionId}\`.`,
    }),
  )

const resumedAlready = (executionId: string, by: string): ErrorObject =>
  failure('RESUME_REFUSED', `The execution was resumed already, by ${by}.`, {
    details: { executionId, resumedBy: by },
    hint: `If that one did not end well either, resume it with \`POST /executions/${by}/resume\`.`,
  })

interface ResumableExecution {
  receipt: StoredReceipt
  recorded: RecordedExecution
}

type Steps = readonly { id: string }[]

const isRepeated = (actions: Steps, stepId: string) => actions.filter(({ id }) => id === stepId).length > 1

const inDoubt = (
  { receipt, recorded }: ResumableExecution,
  proven: number,
  doubtful: readonly { id: string; type: string }[],
) => {
  const { executionId } = receipt
  const { actions } = recorded.dispatch.execution
  const [step] = doubtful
  const last = doubtful.at(-1)
  const after = actions[actions.findIndex((action, index) => index >= proven && action.id === last?.id) + 1]
  const command = `POST /executions/${executionId}/resume with fromStep`
  const ifDone = after === undefined ? '' : `; \`${command} ${after.id}\` if all of ${doubtful.length} did`
  const isNamed = [step, after].every(each => each === undefined || !isRepeated(actions, each.id))
  const next = isNamed
    ? `Then \`${command} ${step?.id}\` if it did not happen${ifDone}.`
    : 'Several steps have the same id, so send those that did not happen as a new execution.'
  return refuse(
    failure(
      'RESUME_IN_DOUBT',
      `Step "${step?.id}" (${step?.type}) may have been executed: no answer proves whether it was.`,
      {
        details: {
          executionId,
          step: step?.id,
          stepType: step?.type,
          doubtfulSteps: doubtful.map(({ id }) => id),
          executedSteps: actions.slice(0, proven).map(({ id }) => id),
        },
        hint: `Look at the device first. ${next}`,
      },
    ),
  )
}

/** The place of a step that a caller may begin with: a proven one is never repeated. */
const placeOf = (
  { receipt, recorded }: ResumableExecution,
  proven: number,
  fromStep: string,
): number | (Resumption & { ok: false }) => {
  const { actions } = recorded.dispatch.execution
  if (isRepeated(actions, fromStep)) {
    const positions = actions.flatMap(({ id }, index) => (id === fromStep ? [index + 1] : []))
    const message = `fromStep: the steps ${positions.join(', ')} of the execution all have the id "${fromStep}".`
    return refused(receipt.executionId, message, {
      details: { path: 'fromStep', step: fromStep, positions },
      hint: `Without \`fromStep\`, \`POST /executions/${receipt.executionId}/resume\` goes on after the last proven step. To begin elsewhere, send the remaining steps as a new execution.`,
    })
  }
  const place = actions.findIndex(({ id }, index) => index >= proven && id === fromStep)
  if (place >= 0) return place
  const open = actions.slice(proven).map(({ id }) => id)
  const problem = actions.some(({ id }) => id === fromStep)
    ? `the step "${fromStep}" is proven to have run, and a resumption repeats no such step`
    : `the execution has no step "${fromStep}"`
  return refuse(
    failure('EXECUTION_VALIDATION_FAILED', `fromStep: ${problem}.`, {
      details: { executionId: receipt.executionId, path: 'fromStep', steps: open },
      hint: `It must be one of: ${open.join(', ')}. To run other steps again, send a new execution.`,
    }),
  )
}

const remaining = (resumable: ResumableExecution, { fromStep, timeoutMs }: ResumptionChange): Resumption => {
  const { receipt, recorded } = resumable
  const { executionId, deviceId, operatorPackage } = receipt
  const { execution, screenshots } = recorded.dispatch
  const { proven, doubtful } = proofOf(receipt, recorded)
  const all = execution.actions.length
  if (proven >= all)
    return refused(executionId, `All ${all} steps of the execution have run: there is nothing to resume.`, AGAIN)
  const place = fromStep === undefined ? proven : placeOf(resumable, proven, fromStep)
  if (typeof place !== 'number') return place
  if (fromStep === undefined && doubtful.length > 0) return inDoubt(resumable, proven, doubtful)
  const validation = validateExecution({
    ...execution,
    ...defined({ timeoutMs }),
    actions: execution.actions.slice(place),
  })
  if (!validation.ok) return refuse(validation.error)
  const order = { execution: validation.execution, deviceId, operatorPackage, screenshots, resumes: executionId }
  return { ok: true, order, executedSteps: execution.actions.slice(0, place).map(({ id }) => id) }
}

export interface ResumeOptions {
  executor: Executor
  journal: Journal
  receiptOf(executionId: string): Promise<StoredReceipt | undefined>
}

export const createResume = ({ executor, journal, receiptOf }: ResumeOptions) => {
  const resumedBy = (executionId: string) => journal.receiptByKey(keyOf(executionId).key)?.executionId

  return {
    async resumption(executionId: string, change: ResumptionChange = {}): Promise<Resumption> {
      const receipt = await receiptOf(executionId)
      if (!receipt) return refuse(noReceipt(executionId))
      if (!isSettled(receipt)) return inFlight(receipt)
      const first = resumedBy(executionId)
      if (first !== undefined) return refuse(resumedAlready(executionId, first))
      const { result } = receipt
      if (result?.ok && result.envelope.status === 'success') {
        return refused(executionId, 'The execution succeeded: there is nothing to resume.', AGAIN)
      }
      const recorded = recordedExecution(journal, receipt)
      if (recorded) return remaining({ receipt, recorded }, change)
      if (result?.ok === false && result.error.code === 'EXECUTION_CANCELLED' && receipt.dispatchedAt === undefined)
        return refused(executionId, 'The execution was cancelled before it began: nothing of it has run.', AGAIN)
      return refused(executionId, 'The journal no longer has the payload of the execution.', {
        hint: 'Look at the device and send the remaining steps as a new execution.',
      })
    },
    /** The key is taken by the record that accepts the execution, so of two at once one is accepted. */
    async resume(request: ExecutionOrder & { resumes: string }): Promise<Executed> {
      const { resumes } = request
      const executed = await executor({ ...request, idempotency: keyOf(resumes) })
      if (executed.executionId !== undefined) return executed
      const first = resumedBy(resumes)
      return first === undefined
        ? executed
        : { ...executed, result: { ok: false, error: resumedAlready(resumes, first) } }
    },
  }
}

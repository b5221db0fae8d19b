/** Section on receipts, resume: an execution that did not end well goes on after its last proven step, once. */

import { busyUntilOf } from '../../../machines/device/device-doubts.ts'
import { outcomeOf } from '../../contracts/executions/outcome-of.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureExtra, failure } from '../../contracts/failures/failures.ts'
import { defined } from '../../contracts/json/json.ts'
import { ENVELOPE_GRACE_MS } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import { atWorkOn } from './evidence/still-at-work.ts'
import type { Executor } from './execute.ts'
import { ownKey } from './idempotency.ts'
import type { Executed, ExecutionOrder } from './order.ts'
import { proofOf } from './proven.ts'
import { type RecordedExecution, recordedExecution } from './recorded.ts'
import { noReceipt } from './refusals.ts'
import type { Decided, Receipts, Resumption, ResumptionChange, WaitForEnd } from './service.ts'
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

const busyUntil = ({ dispatchedAt = 0 }: StoredReceipt, { dispatch }: RecordedExecution): number =>
  busyUntilOf({ dispatchedAt, timeoutMs: dispatch.execution.timeoutMs })

/** Also where nobody can say: without its host, a list goes on as long as its time lasts. */
const mayBeAtWork = ({ receipt, running, isFinal }: Decided, recorded: RecordedExecution, now: number): boolean => {
  if (outcomeOf(receipt) !== 'unknown' || receipt.dispatchedAt === undefined) return false
  if (now >= busyUntil(receipt, recorded)) return false
  return running !== undefined || (recorded.nonce !== undefined && !recorded.isPart && isFinal !== true)
}

const atWork = ({ receipt, running }: Decided, recorded: RecordedExecution): ErrorObject => {
  const { executionId, deviceId } = receipt
  const step = running === undefined ? undefined : recorded.dispatch.execution.actions[running]?.id
  const until = new Date(busyUntil(receipt, recorded)).toISOString()
  const hint = `Nothing is in doubt yet. Look again with \`GET /executions/${executionId}\`, or resume with \`waitMs\`: the list has ended at ${until} at the latest, and its steps are judged again then.`
  const error = atWorkOn({ deviceId, executionId, step, hint })
  return { ...error, details: { executionId, ...error.details } }
}

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
  const ifDone =
    after === undefined
      ? ''
      : `; \`${command} ${after.id}\` ${doubtful.length === 1 ? 'if it did' : `if all of ${doubtful.length} did`}`
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

/** A step with which no resumption begins. */
const notOpen = ({ receipt, recorded }: ResumableExecution, proven: number, fromStep: string) => {
  const { actions } = recorded.dispatch.execution
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

const allHaveRun = (executionId: string, all: number) =>
  refused(executionId, `All ${all} steps of the execution have run: there is nothing to resume.`, AGAIN)

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
  return place >= 0 ? place : notOpen({ receipt, recorded }, proven, fromStep)
}
const remaining = (resumable: ResumableExecution, { fromStep, timeoutMs }: ResumptionChange): Resumption => {
  const { receipt, recorded } = resumable
  const { executionId, deviceId, operatorPackage } = receipt
  const { execution, screenshots } = recorded.dispatch
  const { proven, doubtful } = proofOf(receipt, recorded)
  const all = execution.actions.length
  if (proven >= all) return allHaveRun(executionId, all)
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

type KeyReader = Pick<Journal, 'receiptByKey'>

const isUnsent = (receipt: StoredReceipt): boolean => outcomeOf(receipt) === 'not_sent'

/** A resumption of which nothing was sent does not count: its place is taken by the next, under a key that names it. */
const lastResumption = (journal: KeyReader, executionId: string) => {
  let key = keyOf(executionId)
  let found = journal.receiptByKey(key.key)
  while (found && isUnsent(found)) {
    key = keyOf(found.executionId)
    found = journal.receiptByKey(key.key)
  }
  return { key, by: found?.executionId }
}

/** The execution that goes on with this one. Throws JournalError. */
export const resumedBy = (journal: KeyReader, executionId: string): string | undefined =>
  lastResumption(journal, executionId).by

export interface ResumeOptions extends Pick<Receipts, 'receipt' | 'decided'> {
  executor: Executor
  journal: Journal
  clock: Clock
}

export const createResume = ({ executor, journal, clock, receipt: receiptOf, decided }: ResumeOptions) => {
  /** Nothing of such a resumption was sent, so the execution that it was to go on with is the one to judge. */
  const originalOf = async (executionId: string): Promise<StoredReceipt | undefined> => {
    let receipt = await receiptOf(executionId)
    while (receipt?.resumes !== undefined && isUnsent(receipt)) {
      const original = await receiptOf(receipt.resumes)
      if (!original) break
      receipt = original
    }
    return receipt
  }

  /** Finds out what is known of the execution, once the phone is not at work on it; or why it cannot go on. */
  const judged = async (
    executionId: string,
    { waitMs = 0, signal }: WaitForEnd,
  ): Promise<({ ok: true } & ResumableExecution) | (Resumption & { ok: false })> => {
    const present = await originalOf(executionId)
    if (!present) return refuse(noReceipt(executionId))
    if (!isSettled(present)) return inFlight(present)
    let recorded = recordedExecution(journal, present)
    // No list runs longer, and its result needs a moment to come.
    const untilEnd = recorded ? busyUntil(present, recorded) + ENVELOPE_GRACE_MS - clock.now() : 0
    const found = await decided(present, { waitMs: Math.max(0, Math.min(waitMs, untilEnd)), signal })
    const { receipt } = found
    const { result } = receipt
    if (result?.ok && result.envelope.status === 'success')
      return refused(receipt.executionId, 'The execution succeeded: there is nothing to resume.', AGAIN)
    recorded = recordedExecution(journal, receipt)
    if (recorded) {
      if (mayBeAtWork(found, recorded, clock.now())) return refuse(atWork(found, recorded))
      return { ok: true, receipt, recorded }
    }
    if (result?.ok === false && result.error.code === 'EXECUTION_CANCELLED' && receipt.dispatchedAt === undefined)
      return refused(receipt.executionId, 'The execution was cancelled before it began: nothing of it has run.', AGAIN)
    return refused(receipt.executionId, 'The journal no longer has the payload of the execution.', {
      hint: 'Look at the device and send the remaining steps as a new execution.',
    })
  }

  /**
   * Before the dispatch: others may have had the device meanwhile, and more may be known. The order has the last steps of
   * the list. One that waited has taken the key of the resumption itself.
   */
  const refusalOf = async (resumes: string, steps: number): Promise<ErrorObject | undefined> => {
    const found = await judged(resumes, {})
    if (!found.ok) return found.error
    const { actions } = found.recorded.dispatch.execution
    const place = actions.length - steps
    const { proven } = proofOf(found.receipt, found.recorded)
    if (proven <= place) return undefined
    if (proven >= actions.length) return allHaveRun(resumes, proven).error
    return notOpen(found, proven, actions[place]?.id ?? '').error
  }

  return {
    async resumption(executionId: string, change: ResumptionChange = {}, wait: WaitForEnd = {}): Promise<Resumption> {
      const found = await judged(executionId, wait)
      if (!found.ok) return found
      const { executionId: original } = found.receipt
      const by = resumedBy(journal, original)
      return by === undefined ? remaining(found, change) : refuse(resumedAlready(original, by))
    },
    /** The key is taken by the record that accepts the execution, so of two at once one is accepted. */
    async resume(request: ExecutionOrder & { resumes: string }): Promise<Executed> {
      const { resumes, execution } = request
      const { key, by } = lastResumption(journal, resumes)
      if (by !== undefined) return { result: { ok: false, error: resumedAlready(resumes, by) } }
      const refusal = () => refusalOf(resumes, execution.actions.length)
      const executed = await executor({ ...request, idempotency: key, refusal })
      if (executed.executionId !== undefined) return executed
      const first = resumedBy(journal, resumes)
      return first === undefined
        ? executed
        : { ...executed, result: { ok: false, error: resumedAlready(resumes, first) } }
    },
  }
}

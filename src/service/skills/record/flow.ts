/** Section Record: the executions that a skill is recorded from, as one list of steps with what each has seen. */
import type { Action } from '../../../contracts/executions/action.ts'
import { RECEIPTS_HINT } from '../../../contracts/executions/receipt.ts'
import { LIST_LIMIT } from '../../../contracts/limits/limits.ts'
import type { Journal, StoredReceipt } from '../../../runtime/journal/journal.ts'
import { isSettled } from '../../../runtime/journal/receipts.ts'
import { type RecordedExecution, recordedExecution } from '../../executions/recorded.ts'
import type { RecordedScreens } from '../../executions/recorded-screens.ts'
import type { SeenScreen } from '../../executions/seen-screen.ts'
import type { Receipts } from '../../executions/service.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface FlowStep {
  action: Action
  /** The data of the step's result; empty when nobody reported one. */
  data: Readonly<Record<string, string>>
  /** Set for a snapshot that could be read. */
  screen?: SeenScreen
  /** Set on the first step of an execution: time had passed before it. */
  begins?: { executionId: string; timeoutMs: number; durationMs: number }
}

export interface Flow {
  ok: true
  steps: readonly FlowStep[]
  executions: readonly string[]
  notes: readonly string[]
}

interface FlowSources {
  receipts: Receipts
  journal: Pick<Journal, 'records' | 'last' | 'body'>
  screens: RecordedScreens
}

interface Source {
  receipt: StoredReceipt
  recorded: RecordedExecution
}

export const recordFailed = (message: string, details?: Record<string, unknown>, hint?: string): Refusal =>
  refuse('SKILLS_RECORD_FAILED', message, { details, hint })

const receiptsOf = async (id: string, { receipts }: FlowSources): Promise<StoredReceipt[]> => {
  const receipt = await receipts.receipt(id)
  if (receipt) return [receipt]
  return [...(await receipts.receipts({ skillRunId: id, limit: LIST_LIMIT.max }))].reverse()
}

const unknown = (id: string): Refusal =>
  refuse('EXECUTION_NOT_FOUND', `No execution and no execution of a skill run has the id "${id}".`, {
    details: { id },
    hint: RECEIPTS_HINT,
  })

const reasonOf = ({ result, state }: StoredReceipt): string => {
  if (!isSettled({ state } as StoredReceipt)) return 'it is still running.'
  if (result?.ok)
    return `it failed: ${result.envelope.error?.message ?? result.envelope.errorCode ?? 'no reason was given.'}`
  return `it ended with ${result?.error.code ?? state}.`
}

const isSuccess = ({ result }: StoredReceipt) => result?.ok === true && result.envelope.status === 'success'

/** The actions to record. A failed execution keeps those before its resumption began; undefined when none followed. */
const actionsOf = ({ receipt, recorded }: Source, next: Source | undefined): readonly Action[] | undefined => {
  const { actions } = recorded.dispatch.execution
  if (isSuccess(receipt)) return actions
  if (next?.receipt.resumes !== receipt.executionId) return undefined
  return actions.slice(0, Math.max(0, actions.length - next.recorded.dispatch.execution.actions.length))
}

interface FlowPart {
  ok: true
  steps: FlowStep[]
  /** Ids of steps that failed, and that the resumption did not try again. */
  passedOver: string[]
}

const unnamed = ({ id }: Action, executionId: string): Refusal =>
  recordFailed(
    `Step "${id}" of execution ${executionId} names its node by a ref, and neither id nor label tells that node from the others of its screen.`,
    { executionId, step: id },
    'Run the step again with another selector, and record that execution instead.',
  )

const stepsOf = (
  { receipt, recorded }: Source,
  actions: readonly Action[],
  { screens }: FlowSources,
): FlowPart | Refusal => {
  const { executionId, result } = receipt
  const last = recorded.settled ?? result
  const results = last?.ok ? last.envelope.stepResults : []
  const resultOf = (action: Action, index: number) => (results[index]?.id === action.id ? results[index] : undefined)
  const hasFailed = (action: Action, index: number) => resultOf(action, index)?.success === false
  const { timeoutMs } = recorded.dispatch.execution
  const device = recorded.dispatch.view?.device
  const steps: FlowStep[] = []
  for (const [index, recordedAction] of actions.entries()) {
    if (hasFailed(recordedAction, index)) continue
    const action = screens.withoutRefs(recordedAction, device)
    if (!action) return unnamed(recordedAction, executionId)
    const data = resultOf(recordedAction, index)?.data ?? {}
    const screen = action.type === 'snapshot' ? screens.screenOf(data, device) : undefined
    steps.push({ action, data, ...(screen ? { screen } : {}) })
  }
  const [first] = steps
  if (first) first.begins = { executionId, timeoutMs, durationMs: recorded.durationMs ?? 0 }
  return { ok: true, steps, passedOver: actions.filter(hasFailed).map(({ id }) => id) }
}

export const readFlow = async (ids: readonly string[], sources: FlowSources): Promise<Flow | Refusal> => {
  const found: Source[] = []
  for (const id of ids) {
    const receipts = await receiptsOf(id, sources)
    if (receipts.length === 0) return unknown(id)
    for (const receipt of receipts) {
      const { executionId } = receipt
      const recorded = recordedExecution(sources.journal, receipt)
      if (!recorded)
        return recordFailed(`The journal no longer has the payload of execution ${executionId}.`, { executionId })
      if (found.some(({ receipt: other }) => other.executionId === executionId)) {
        return recordFailed(`Execution ${executionId} is given twice.`, { executionId })
      }
      found.push({ receipt, recorded })
    }
  }
  const devices = [...new Set(found.map(({ receipt }) => receipt.deviceId))]
  if (devices.length > 1) {
    return recordFailed(
      `The executions ran on several devices: ${devices.join(', ')}.`,
      { devices },
      'Record one device.',
    )
  }
  const steps: FlowStep[] = []
  const notes: string[] = []
  for (const [index, source] of found.entries()) {
    const actions = actionsOf(source, found[index + 1])
    const { executionId } = source.receipt
    if (!actions) {
      const hint = `Leave it out by naming the executions to record, or resume it with \`POST /executions/${executionId}/resume\` and name both.`
      return recordFailed(
        `Execution ${executionId} cannot be recorded: ${reasonOf(source.receipt)}`,
        { executionId },
        hint,
      )
    }
    const taken = stepsOf(source, actions, sources)
    if (!taken.ok) return taken
    steps.push(...taken.steps)
    notes.push(...taken.passedOver.map(id => `step "${id}" failed and was passed over: it is not in the skill`))
  }
  return { ok: true, steps, notes, executions: found.map(({ receipt }) => receipt.executionId) }
}

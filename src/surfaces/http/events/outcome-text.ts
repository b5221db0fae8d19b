/** Section Events: what the record of an outcome tells, read from the journal that holds it. */
import { isBegun } from '../../../contracts/executions/begun-execution.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import type { Dispatch } from '../../../service/executions/dispatch.ts'
import type { RefusedExecution } from '../../../service/parts.ts'
import { resultText, withExecutionId } from '../answer.ts'
import type { OutcomeText } from './outcome-frames.ts'

/** The journal's column `machine` says this for refused executions; they have one state and no chart. */
export const LISTENER_MACHINE = 'listener'
/** How many records of a device may lie between the request for an execution and its end: refused requests, segments. */
const LOOK_BACK = [8, 512]

/** Reads the caller's input from the record that accepted the execution, for as long as retention keeps it. */
const inputOf = (journal: Journal, { actor, n }: JournalRecord, executionId: string): unknown => {
  for (const back of LOOK_BACK) {
    const requested = journal
      .records({ actor, fromN: Math.max(0, n - back), limit: back, passesDamage: true })
      .find(record => isBegun(record) && record.event.executionId === executionId)
    if (!requested) continue
    const dispatch = journal.body(requested)
    const { input, execution } = (dispatch ?? {}) as Partial<Dispatch> & { input?: unknown }
    return input ?? execution ?? null
  }
  return null
}

/** Undefined for a record that retention has left nothing of but itself. */
export const outcomeTextOf = (journal: Journal, record: JournalRecord): OutcomeText | undefined => {
  if (record.machine === LISTENER_MACHINE) {
    const body = journal.body(record)
    if (!body) return undefined
    const { input, result } = body as Pick<RefusedExecution, 'input' | 'result'>
    return { deviceId: String(record.event.deviceId), input: JSON.stringify(input), result: resultText(result) }
  }
  const receipt = journal.receipt(record.outcome?.executionId ?? '')
  // Retention takes receipts too; what is left of such an outcome tells nothing.
  if (!receipt?.result) return undefined
  const { executionId, deviceId, result } = receipt
  return {
    deviceId,
    input: JSON.stringify(inputOf(journal, record, executionId)),
    result: resultText(withExecutionId(result, executionId)),
  }
}

/** Listeners of servers, and of a host that carries out what other hosts were asked; those of daemons tell their callers. */
const IN_FLEET = /^(?:serve|fleet):/

/** The outcome that the mirror of a host tells on the fleet's /events. */
export const fleetOutcomeOf = (
  journal: Journal,
  record: JournalRecord,
): { deviceId: string; input: string; result: string } | undefined => {
  if (!IN_FLEET.test(record.outcome?.listener ?? '')) return undefined
  const text = outcomeTextOf(journal, record)
  return text && { deviceId: text.deviceId, input: text.input, result: text.result.json }
}

/** The tools that say what became of executions, whether or not their answer arrived. */

import type { ReceiptSummary } from '../../../contracts/doors/mcp-answers.ts'
import { olderField, olderSentence, type Receipt } from '../../../contracts/executions/receipt.ts'
import { stepWords } from '../../../contracts/executions/step-words.ts'
import { decidedBy, isoTime } from '../../../contracts/executions/told-by.ts'
import { resultAt } from '../../../contracts/failures/result-hints.ts'
import { unansweredField, unansweredSentence } from '../../../contracts/fleet.ts'
import { MCP_RECEIPTS } from '../../../contracts/limits/mcp-limits.ts'
import { namedExecution } from '../../../service/executions/last-execution.ts'
import type { RequestOptions } from '../../../service/service.ts'
import { done, failed, shortened } from '../answers.ts'
import { LOOKS_LOCALLY, type Tool, tool } from '../tool.ts'

const outcomeOf = ({ result, outcome }: Receipt): { status?: string; code?: string } => {
  // The failure that its caller was answered is not how it ended.
  if (!result || (!result.ok && outcome === 'done')) return {}
  if (!result.ok) return { status: 'failed', code: result.error.code }
  const { status, errorCode } = result.envelope
  return errorCode === undefined ? { status } : { status, code: errorCode }
}

export const summaryOf = (receipt: Receipt): ReceiptSummary => {
  const { executionId, commandId, deviceId, state, acceptedAt, dispatchedAt, skillRunId, host, outcome } = receipt
  const dispatched = dispatchedAt !== undefined
  return {
    ...{ executionId, commandId, deviceId, state, dispatched, acceptedAt, ...outcomeOf(receipt) },
    ...(outcome === undefined ? {} : { outcome }),
    ...(skillRunId === undefined ? {} : { skillRunId }),
    ...(host === undefined ? {} : { host }),
  }
}

const lineOf = ({ outcome, ...summary }: ReceiptSummary): string => {
  const { executionId, commandId, deviceId, state, dispatched, status, code } = summary
  const sent = dispatched ? 'was sent to the device' : 'was not sent to the device'
  const ended = status === undefined ? '' : `, ${status}${code === undefined ? '' : ` (${code})`}`
  const word = outcome === undefined ? '' : ` Outcome: ${outcome}.`
  return `${executionId} ${commandId} on ${deviceId}: ${state}${ended}; it ${sent}.${word}`
}

/** The receipt of one execution names its steps, and who was asked where it is in doubt. */
export const receiptLines = (receipt: Receipt): string[] => {
  const { steps = [], undecided, runningStep, deviceId } = receipt
  const decided = decidedBy(receipt, isoTime)
  const running = runningStep === undefined ? [] : [`${deviceId} is still at work on it, at step ${runningStep}`]
  return [
    lineOf(summaryOf(receipt)),
    ...(decided === undefined ? [] : [`its end is known: ${decided}`]),
    ...running,
    ...(undecided === undefined ? [] : [`no result is known: ${undecided}`]),
    ...steps.map((step, position) => {
      const words = stepWords(step, { position, receipt, time: isoTime })
      return `step ${step.id} (${step.actionType}): ${words}`
    }),
  ]
}

const ANYBODY: RequestOptions = { context: { caller: 'mcp' } }

const receipt = tool({
  name: 'receipt',
  description: 'State, if sent, and result of an execution, or last.',
  annotations: LOOKS_LOCALLY,
  async run({ executionId: named }, { deps }) {
    const target = namedExecution(deps.journal(), named, deps.deviceId)
    if (!target.ok) return failed(target.error)
    const { executionId } = target
    const found = await deps.service['executions.get']({ executionId }, ANYBODY)
    if (!found.ok) return failed(found.error)
    const { result, ...execution } = found.value.execution
    const hinted = result === undefined ? execution : { ...execution, result: resultAt('mcp', result) }
    const whole = `the resource svc://executions/${executionId} has them`
    const summary = summaryOf(hinted)
    return done(receiptLines(hinted).join('\n'), {
      receipt: { dispatched: summary.dispatched, ...(shortened(hinted, whole) as object) },
    })
  },
})

const receipts = tool({
  name: 'receipts',
  description: 'List the latest executions, newest first.',
  annotations: LOOKS_LOCALLY,
  async run({ device, commandId, taskId, skillRunId, outcome, limit = MCP_RECEIPTS.default }, { deps }) {
    const query = {
      limit,
      ...(device?.trim() ? { deviceId: device } : {}),
      ...(commandId === undefined ? {} : { commandId }),
      ...(taskId === undefined ? {} : { taskId }),
      ...(skillRunId === undefined ? {} : { skillRunId }),
      ...(outcome === undefined ? {} : { outcome }),
    }
    const listed = await deps.service['executions.list'](query, ANYBODY)
    if (!listed.ok) return failed(listed.error)
    const { executions, unanswered } = listed.value
    const summaries = Array.from(executions, summaryOf)
    const isCutOff = listed.value.older?.()
    const sentences = [
      summaries.map(lineOf).join('\n') || 'none',
      isCutOff ? olderSentence : [],
      unansweredSentence(unanswered) ?? [],
    ].flat()
    return done(sentences.join('\n'), {
      receipts: summaries,
      count: summaries.length,
      ...olderField(isCutOff),
      ...unansweredField(unanswered),
    })
  },
})

export const RECEIPT_TOOLS: readonly Tool[] = [receipt, receipts]

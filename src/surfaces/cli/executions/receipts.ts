/** Receipts and traces as commands: of this machine's journal, or of any host of the fleet. */

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { onlyLooks } from '../../../contracts/actions/cards.ts'
import { ReceiptOutcome } from '../../../contracts/executions/evidence.ts'
import { olderField, olderSentence, type Receipt } from '../../../contracts/executions/receipt.ts'
import { unansweredField, unansweredSentence } from '../../../contracts/fleet.ts'
import { defined } from '../../../contracts/json/json.ts'
import { LIST_LIMIT, OUTCOME_WAIT_MS, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import type { Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { oneOf, wholeNumber } from '../flags/flag-values.ts'
import { hintedReceipt } from '../hinted-output.ts'
import { timelineText } from '../viewer/timeline-text.ts'
import { isInFleet } from './execution-command.ts'
import { namedExecution } from './parse-execution-ids.ts'

/** So many executions of the task are read for one that acts. */
const SEARCHED_MAX = 50

/** The actions of a receipt are known as long as its payload is kept. */
const isLook = ({ actions = [] }: Receipt): boolean =>
  actions.length > 0 && actions.every(({ type }) => onlyLooks(type))
const acts = ({ actions = [] }: Receipt): boolean => actions.some(({ type }) => !onlyLooks(type))

/** Finds it by the same task, device and skill run. Undefined for an execution that acts itself. */
/**
 * The execution that acted before one that only looked: a look follows many commands, and says nothing of what they
 * did.
 */
const actedBefore = async (service: Service, look: Receipt, call: ServiceCall): Promise<Receipt | undefined> => {
  if (!isLook(look)) return undefined
  const { taskId, deviceId, skillRunId } = look
  const listed = await service['executions.list']({ taskId, deviceId, limit: SEARCHED_MAX }, call)
  if (!listed.ok) return undefined
  const ofTask = [...listed.value.executions]
  const older = ofTask.slice(ofTask.findIndex(({ executionId }) => executionId === look.executionId) + 1)
  for (const { executionId, skillRunId: run } of older) {
    if (run !== skillRunId) continue
    const one = await service['executions.get']({ executionId }, call)
    if (one.ok && acts(one.value.execution)) return one.value.execution
  }
  return undefined
}

const callOf = ({ signal }: CommandContext): ServiceCall => ({ context: { caller: 'cli' }, signal })
const ownService = async ({ services }: CommandContext): Promise<Service> => await (await services()).service()
const fleet = () => import('../fleet/session.ts')

const failedWith = <T>(result: Result<T>): CommandResult => ({
  ok: false,
  output: result.ok ? undefined : result.error,
})

/** Lists read no payloads; for people, each receipt of this host is asked what it was for, and what is in doubt. */
const withSteps = async (receipts: Iterable<Receipt>, call: CommandContext): Promise<Receipt[]> => {
  const service = await ownService(call)
  const options = callOf(call)
  const context = { ...options.context, isFollowUp: true as const }
  const actionsOf = async (receipt: Receipt): Promise<Receipt> => {
    const one = await service['executions.get']({ executionId: receipt.executionId }, { ...options, context })
    if (!one.ok) return receipt
    const { actions, executedSteps, doubtfulSteps, result } = one.value.execution
    return { ...receipt, ...defined({ actions, executedSteps, doubtfulSteps, result }) }
  }
  return Promise.all([...receipts].map(actionsOf))
}

export const listReceipts = async (call: CommandContext): Promise<CommandResult> => {
  const limit = wholeNumber(call, 'limit', LIST_LIMIT) ?? LIST_LIMIT.default
  const named = {
    deviceId: call.text('device'),
    commandId: call.text('command'),
    taskId: call.text('task'),
    skillRunId: call.text('skill-run'),
    outcome: oneOf(call, 'outcome', ReceiptOutcome.options),
  }
  const query = { limit, ...defined(named) }
  const ask = (service: Service) => service['executions.list'](query, callOf(call))
  const listed = isInFleet(call.env) ? await (await fleet()).askFleet(call, query.deviceId, ask) : undefined
  const result = listed ?? (await ask(await ownService(call)))
  if (!result.ok) return failedWith(result)
  const { unanswered } = result.value
  const line = unansweredSentence(unanswered)
  if (line !== undefined) call.log.warn(line)
  const listedHere = listed === undefined && call.format === 'text'
  const executions = listedHere ? await withSteps(result.value.executions, call) : [...result.value.executions]
  const isCutOff = result.value.older?.()
  if (isCutOff) call.log.warn(olderSentence)
  const output = { executions, count: executions.length, ...olderField(isCutOff), ...unansweredField(unanswered) }
  return { ok: true, output }
}

const isMissing = <T>(result: Result<T>): boolean =>
  !result.ok && ['EXECUTION_NOT_FOUND', 'ACTOR_NOT_FOUND'].includes(result.error.code)

/** Here first: another host of the fleet may have what this machine does not have. */
const anywhere = async <T>(call: CommandContext, ask: (service: Service) => Promise<Result<T>>): Promise<Result<T>> => {
  const ownResult = await ask(await ownService(call))
  if (!isMissing(ownResult) || !isInFleet(call.env)) return ownResult
  return (await (await fleet()).askFleet(call, undefined, ask)) ?? ownResult
}

/** Reads the receipt that the fleet keeps, for when no host can be asked. */
const mirrored = async (executionId: string, call: CommandContext): Promise<unknown> => {
  const kept = await (await fleet()).inFleet(call, client => client.mirrored(executionId).catch(() => undefined))
  return kept.kind === 'done' ? kept.value : undefined
}

export const oneReceipt = async (
  id: 'executions.get' | 'executions.cancel',
  call: CommandContext,
): Promise<CommandResult> => {
  const waitMs = id === 'executions.get' ? wholeNumber(call, 'wait', OUTCOME_WAIT_MS) : undefined
  const executionId = await namedExecution(call.args[0] ?? '', call)
  const result = await anywhere(call, service => service[id]({ executionId, ...defined({ waitMs }) }, callOf(call)))
  if (result.ok) {
    const { execution } = result.value
    const hinted = hintedReceipt(execution)
    const isRead = id === 'executions.get' && call.format === 'text'
    const acted = isRead ? await actedBefore(await ownService(call), execution, callOf(call)) : undefined
    return {
      ok: true,
      output: {
        execution: result.host === undefined ? hinted : { ...hinted, host: result.host },
        ...(acted ? { actedBefore: acted } : {}),
      },
    }
  }
  const execution =
    result.unanswered === 'not sent' && id === 'executions.get' ? await mirrored(executionId, call) : undefined
  return execution ? { ok: true, output: { execution } } : failedWith(result)
}

/** An id is that of an execution or of a skill run. */
const traced = async <T>(
  call: CommandContext,
  ofExecution: (service: Service, executionId: string) => Promise<Result<T>>,
  ofRun: (service: Service, runId: string) => Promise<Result<T>>,
): Promise<{ kind: 'execution' | 'skill-run'; id: string; value: T }> => {
  const id = await namedExecution(call.args[0] ?? '', call)
  const execution = await anywhere(call, service => ofExecution(service, id))
  if (execution.ok) return { kind: 'execution', id, value: execution.value }
  const run = await anywhere(call, service => ofRun(service, id))
  if (run.ok) return { kind: 'skill-run', id, value: run.value }
  const { error } = isMissing(execution) && !isMissing(run) ? run : execution
  if (error.code !== 'EXECUTION_NOT_FOUND') throw new CommandError(error.code as never, error.message, error as never)
  const listed = await anywhere(call, service => service['executions.list']({ skillRunId: id, limit: 1 }, callOf(call)))
  const isOfFlows = listed.ok && [...listed.value.executions].length > 0
  throw new CommandError('EXECUTION_NOT_FOUND', `No execution and no skill run has the id ${JSON.stringify(id)}.`, {
    details: { ...error.details, executionId: id },
    hint: isOfFlows
      ? `It is a run of flows: name one of its executions, which \`svc executions list --skill-run ${id}\` lists.`
      : error.hint,
  })
}

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error)

export const exportTrace = async (call: CommandContext, shape: string): Promise<CommandResult> => {
  const named = call.text('to')
  if (named === undefined || named.trim() === '')
    throw usage(`--to is missing: ${shape}`, { hint: 'Name the HTML file to write.' })
  const to = resolve(call.cwd, named)
  const { kind, id, value } = await traced(
    call,
    (service, executionId) => service['executions.traceFile']({ executionId }, callOf(call)),
    (service, runId) => service['skillRuns.traceFile']({ runId }, callOf(call)),
  )
  try {
    writeFileSync(to, value.html, { flag: 'wx', mode: STATE_FILE_MODE })
  } catch (error) {
    if (reasonOf(error) === 'EEXIST') throw usage(`${to} already exists: choose a new file.`)
    throw usage(`${to} cannot be written: ${reasonOf(error)}.`)
  }
  return { ok: true, output: { exported: true, kind, id, to, bytes: Buffer.byteLength(value.html) } }
}

export const showTimeline = async (call: CommandContext): Promise<CommandResult> => {
  const { value } = await traced(
    call,
    (service, executionId) => service['executions.trace']({ executionId }, callOf(call)),
    (service, runId) => service['skillRuns.trace']({ runId }, callOf(call)),
  )
  const { trace } = value
  if (call.format !== 'text') return { ok: true, output: { trace } }
  await call.io.print(timelineText(trace, call.io.isTerminal() ? call.io.columns() : Number.POSITIVE_INFINITY))
  return { ok: true }
}

/**
 * Runs an execution for a command: makes a plan, or hands it to the fleet or the daemon, or runs it here. Called
 * often, so this half loads no more than it takes to ask a socket.
 */
import type { CommandKind } from '../../../contracts/events/dispatch.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import { parseObject } from '../../../runtime/files/small-file.ts'
import { homeOf } from '../../../runtime/home.ts'
import { commandIdOf, type ProxyCommand } from '../../daemon/client/command.ts'
import { type ProxyResult, proxyCommand } from '../../daemon/client/proxy.ts'
import { buildIdentityOf, environmentOf } from '../../daemon/identity.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import {
  concernsFleet,
  deviceOf,
  executionOutput,
  namedOperator,
  requestOptions,
  tellWhenLate,
} from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'

const isDisabled = ({ env, isOn }: CommandContext): boolean => isOn('no-daemon') || env.SVC_NO_DAEMON === '1'

const proxy = (command: ProxyCommand, call: CommandContext): Promise<ProxyResult> => {
  const { env, clock, signal } = call
  const fallbacks = () => import('../executions/proxy-fallbacks.ts')
  return proxyCommand(command, {
    home: homeOf(env),
    isDisabled: isDisabled(call),
    platform: process.platform,
    version: { version: __SVC_VERSION__, buildIdentity: buildIdentityOf(process.argv[1]) },
    environment: environmentOf(env),
    clock,
    signal,
    start: async reason => (await fallbacks()).startDaemon(reason, command, call),
    findExecution: async (commandId, since) => (await fallbacks()).findExecution(commandId, since, call),
    cancelRecorded: async executionId => (await fallbacks()).cancelRecorded(executionId, call),
  })
}

const isResult = (value: Readonly<Record<string, unknown>> | undefined): boolean =>
  value?.ok === true ? typeof value.envelope === 'object' && value.envelope !== null : typeof value?.error === 'object'

const answered = async ({
  body,
  executionId,
  offeredId,
}: Extract<ProxyResult, { kind: 'answered' }>): Promise<CommandResult> => {
  const result = parseObject(body)
  if (isResult(result)) return executionOutput(result as unknown as ExecutionResult, executionId)
  const { noResultError } = await import('../../daemon/client/failures.ts')
  return { ok: false, output: noResultError(executionId, offeredId) }
}

const verbosely = async (execution: unknown, call: CommandContext) =>
  (await import('../executions/follow-proxied.ts')).followProxied(commandIdOf(execution), call)

/** An answer that is only late is in the receipt: then nothing is in doubt. */
const settledMeanwhile = async (
  { error, isLate }: Extract<ProxyResult, { kind: 'lost' }>,
  call: CommandContext,
): Promise<CommandResult | undefined> => {
  const executionId = error.details?.executionId
  if (!isLate || typeof executionId !== 'string') return undefined
  // Where the journal cannot be read the outcome stays unknown.
  const result = await (await import('../executions/proxy-fallbacks.ts'))
    .lateResult(executionId, call)
    .catch(() => undefined)
  return result && executionOutput(result, executionId)
}

/** Undefined when this process is to run it. */
export const throughDaemon = async (
  kind: CommandKind,
  execution: unknown,
  call: CommandContext,
  {
    resume,
    onRerun,
  }: {
    /** Another route than that of an execution, which goes on with the execution `resumes`. */
    resume?: { path: string; resumes: string }
    /** The daemon has sent it, and its answer was lost. */
    onRerun?: () => void
  } = {},
): Promise<CommandResult | undefined> => {
  const command = {
    kind,
    execution,
    device: deviceOf(call),
    operatorPackage: namedOperator(call),
    skillRunId: skillRunIn(call.env),
    leaseId: leaseOf(call),
    options: requestOptions(call),
    path: resume?.path,
  }
  const stopShowing = call.isOn('verbose') && !isDisabled(call) ? await verbosely(execution, call) : () => {}
  const commandId = commandIdOf(execution)
  const stopTelling = tellWhenLate(call, receipt =>
    resume ? receipt.resumes === resume.resumes : receipt.commandId === commandId,
  )
  const proxied = await proxy(command, call).finally(stopTelling)
  stopShowing()
  if (proxied.kind === 'answered') {
    const result = await answered(proxied)
    call.releaseSignals()
    return result
  }
  if (proxied.kind === 'cancelled') return { ok: false, output: proxied.error }
  if (proxied.kind === 'lost') return (await settledMeanwhile(proxied, call)) ?? { ok: false, output: proxied.error }
  const { notice, isRerun } = proxied
  if (isRerun) onRerun?.()
  if (notice !== undefined) (await import('../passed-by.ts')).tellPassedBy(notice, isRerun, call)
  return undefined
}

const fleetFor = async (payload: unknown, call: CommandContext): Promise<CommandResult | undefined> => {
  const device = deviceOf(call)
  if (!concernsFleet(call.env, device)) return undefined
  return (await import('../fleet/execution.ts')).executeInFleet(payload, device, call)
}

/** Few calls have a `--wait`, so what reads it is loaded for those only. */
export const withWaitInMs = async (call: CommandContext): Promise<CommandContext> =>
  call.isOn('wait') ? (await import('../flags/time-flag.ts')).withWait(call) : call

/** For a command that may take a snapshot: as text, snapshots are asked for in compact lines. */
export const withReadableScreens = async (call: CommandContext): Promise<CommandContext> =>
  call.format === 'text' ? (await import('./screen-as-text.ts')).withScreensAsText(call) : call

/** `payload` is the caller's, and validated where it runs. A plan is made here, without daemon or device. */
export const runDeviceCommand = async (
  kind: CommandKind,
  payload: unknown,
  context: CommandContext,
): Promise<CommandResult> => {
  const call = await withWaitInMs(context)
  const isPlan = call.isOn('validate-only') || call.isOn('dry-run')
  let isRerun = false
  const onRerun = () => {
    isRerun = true
  }
  if (!isPlan) {
    const outcome = (await fleetFor(payload, call)) ?? (await throughDaemon(kind, payload, call, { onRerun }))
    if (outcome) return outcome
  }
  const { runHere } = await import('../executions/run-here.ts')
  return runHere(payload, call, { isRerun })
}

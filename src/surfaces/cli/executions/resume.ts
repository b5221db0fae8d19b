/** `svc executions resume`: planned or run in this process, or handed to the daemon. */

import { matcherWords } from '../../../contracts/actions/words.ts'
import { defined } from '../../../contracts/json/json.ts'
import { PLAN_FLAGS, plannedOutput, planWarnings } from '../../../service/executions/plan.ts'
import { recordedExecution } from '../../../service/executions/recorded.ts'
import type { InputOf } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { throughDaemon, withWaitInMs } from '../devices/device-command.ts'
import { concernsFleet, requestOptions } from './execution-command.ts'

/** A value that was given, and is not blank. */
const flagText = ({ text }: CommandContext, flag: string): string | undefined => {
  const value = text(flag)
  if (value?.trim() === '') throw usage(`--${flag} is blank.`)
  return value
}

const timeoutOf = async (call: CommandContext): Promise<number | undefined> =>
  call.text('timeout') === undefined ? undefined : (await import('../flags/flag-values.ts')).executionTimeout(call)

type Input = InputOf<'executions.resume'>

const planHere = async ({ executionId, fromStep, timeoutMs }: Input, call: CommandContext): Promise<CommandResult> => {
  const resumption = await (await call.services())
    .executions()
    .resumption(executionId, defined({ fromStep, timeoutMs }))
  if (!resumption.ok) return { ok: false, output: resumption.error }
  const modes = { validateOnly: call.isOn('validate-only'), dryRun: call.isOn('dry-run') }
  for (const warning of planWarnings(resumption.order.execution)) call.log.warn(warning)
  return { ok: true, output: plannedOutput(resumption.order.execution, modes) }
}

const resumeHere = async (input: Input, call: CommandContext): Promise<CommandResult> => {
  const { runFollowed } = await import('./follow-execution.ts')
  return runFollowed(call, (service, options) => service['executions.resume'](input, options))
}

/** For people: the nodes that the steps of the new execution are about; its own command line does not name them. */
const withTargets = async (result: CommandResult, call: CommandContext): Promise<CommandResult> => {
  const { executionId } = (result.output ?? {}) as { executionId?: string }
  if (!result.ok || executionId === undefined) return result
  const services = await call.services()
  const receipt = await (await services.receipts()).receipt(executionId)
  const { dispatch } = (receipt && recordedExecution(services.journalToRead(), receipt)) ?? {}
  const targets = dispatch?.execution.actions.map(({ id, params = {} }) => [
    id,
    'matcher' in params ? matcherWords(params.matcher) : '',
  ])
  return targets
    ? { ...result, output: { ...(result.output as object), targets: Object.fromEntries(targets) } }
    : result
}

/** This machine resumes its own executions itself: the steps that are proven are in its own journal. */
const isElsewhere = async (executionId: string, device: string | undefined, call: CommandContext): Promise<boolean> => {
  if (!concernsFleet(call.env, device)) return false
  if (!(await import('../fleet/session.ts')).goesToFleet(call, device)) return false
  return !(await (await (await call.services()).receipts()).receipt(executionId))
}

/** The device and the operator are those of the receipt unless a flag names others. */
export const resumeCommand = async (context: CommandContext): Promise<CommandResult> => {
  const call = await withWaitInMs(context)
  const [named = ''] = call.args
  if (named.trim() === '') throw usage('<executionId> is blank.')
  const executionId = named.startsWith('last')
    ? await (await import('../devices/screen-as-text.ts')).tellChosen(named, call)
    : named
  const body = defined({
    fromStep: flagText(call, 'from-step'),
    timeoutMs: await timeoutOf(call),
    deviceId: flagText(call, 'device'),
    operatorPackage: flagText(call, 'operator-package'),
    waitMs: requestOptions(call)?.waitMs,
  })
  const input = { executionId, ...body }
  const elsewhere = await isElsewhere(executionId, body.deviceId, call)
  const plan = PLAN_FLAGS.find(({ name }) => call.isOn(name))
  if (plan && elsewhere) throw usage(`--${plan.name} of a resumption works on the host that has the execution.`)
  if (plan) return planHere(input, call)
  if (elsewhere) return (await import('../fleet/execution.ts')).resumeInFleet(input, call)
  const path = `/executions/${encodeURIComponent(executionId)}/resume`
  const result =
    (await throughDaemon('exec', body, call, { resume: { path, resumes: executionId } })) ??
    (await resumeHere(input, call))
  return call.format === 'text' ? withTargets(result, call) : result
}

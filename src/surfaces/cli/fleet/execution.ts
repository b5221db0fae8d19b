/** An execution of a command in its fleet: the host of its device carries it out, and this command prints what it would print here. */
import type { ExecutionSuccess } from '../../../contracts/executions/execution-result.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import type { InputOf, Progress, Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { executionOutput, namedOperator, requestOptions } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { askFleet, goesToFleet } from './session.ts'

const showProgress = ({ io }: CommandContext) => {
  let lastLine = ''
  return (progress: Progress) => {
    if (progress.kind !== 'elsewhere' || progress.state === 'asked') return
    const { executionId = '', state, host } = progress
    const what = state === 'waiting' ? 'waits for its device' : `was ${state}`
    const line = `execution ${executionId} ${what} at host ${host}`
    if (line !== lastLine) io.note(line)
    lastLine = line
  }
}

const callOf = (call: CommandContext): ServiceCall => ({
  context: { caller: 'cli', skillRunId: skillRunIn(call.env), leaseId: leaseOf(call) },
  signal: call.signal,
  ...(call.isOn('verbose') ? { onProgress: showProgress(call) } : {}),
})

const outputOf = (result: Result<ExecutionSuccess>): CommandResult => {
  if (!result.ok) return { ok: false, output: result.error }
  const { ok, output } = executionOutput(result.value, result.executionId)
  return { ok, output: { ...(output as object), host: result.host } }
}

const ask = async (
  call: CommandContext,
  device: string | undefined,
  work: (service: Service, options: ServiceCall) => Promise<Result<ExecutionSuccess>>,
): Promise<CommandResult | undefined> => {
  // A rule that nobody reads would look as if it held.
  if (call.text('policy') !== undefined) {
    throw usage('--policy cannot be given in a fleet: the policy of the host of the device decides.')
  }
  const result = await askFleet(call, device, service => work(service, callOf(call)))
  return result && outputOf(result)
}

/** Undefined when it is for this machine. */
export const executeInFleet = async (
  payload: unknown,
  device: string | undefined,
  call: CommandContext,
): Promise<CommandResult | undefined> => {
  if (!goesToFleet(call, device)) return undefined
  const operatorPackage = namedOperator(call)
  const input = {
    execution: payload,
    ...(operatorPackage === undefined ? {} : { operatorPackage }),
    ...(device?.trim() ? { deviceId: device } : {}),
    ...requestOptions(call),
  } as InputOf<'execute'>
  return ask(call, device, (service, options) => service.execute(input, options))
}

/** An execution that is not in this machine's journal cannot be resumed here, whatever is connected. */
export const resumeInFleet = async (
  input: InputOf<'executions.resume'>,
  call: CommandContext,
): Promise<CommandResult> => {
  const resumed = await ask(call, undefined, (service, options) => service['executions.resume'](input, options))
  return resumed ?? { ok: false }
}

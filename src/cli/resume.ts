/** `svc executions resume`: planned or run in this process, or handed to the daemon. */
import { skillRunIn } from '../contracts/ids.ts'
import { PLAN_FLAGS, plannedOutput } from '../executions/plan.ts'
import { type Call, type CommandResult, defined, usage } from './command.ts'
import { executionOutput } from './execution-output.ts'
import { concernsFleet } from './fleet/concerns-fleet.ts'
import { throughFleet } from './fleet/through-fleet.ts'
import { throughDaemon } from './through-daemon.ts'

/** A value that was given, and is not blank. */
const given = ({ text }: Call, flag: string): string | undefined => {
  const value = text(flag)
  if (value?.trim() === '') throw usage(`--${flag} is blank.`)
  return value
}

const resumeHere = async (call: Call, fromStep: string | undefined): Promise<CommandResult> => {
  const [executionId = ''] = call.args
  const services = await call.services()
  const resumption = await services.executions().resumption(executionId, fromStep)
  if (!resumption.ok) return { ok: false, output: resumption.error }
  const { request } = resumption
  const asked = { validateOnly: call.isOn('validate-only'), dryRun: call.isOn('dry-run') }
  const planned = plannedOutput(request.execution, asked)
  if (planned !== undefined) return { ok: true, output: planned }
  const { runFollowed } = await import('./follow-execution.ts')
  const { result } = await runFollowed(call, {
    ...request,
    deviceId: given(call, 'device') ?? request.deviceId,
    operatorPackage: given(call, 'operator-package') ?? request.operatorPackage,
    skillRunId: skillRunIn(call.env),
  })
  return executionOutput(result)
}

/** This machine resumes its own executions itself: the steps that are proven are in its own journal. */
const isElsewhere = async (executionId: string, device: string | undefined, call: Call): Promise<boolean> => {
  if (!concernsFleet(call.env, device)) return false
  if (!(await (await import('./fleet/goes-to-fleet.ts')).goesToFleet(call, device))) return false
  return !(await (await (await call.services()).receipts()).receipt(executionId))
}

/** The device and the operator are those of the receipt unless a flag names others. */
export const resumeCommand = async (call: Call): Promise<CommandResult> => {
  const [executionId = ''] = call.args
  if (executionId.trim() === '') throw usage('<executionId> is blank.')
  const fromStep = given(call, 'from-step')
  const body = defined({
    fromStep,
    deviceId: given(call, 'device'),
    operatorPackage: given(call, 'operator-package'),
  })
  const elsewhere = await isElsewhere(executionId, body.deviceId, call)
  const plan = PLAN_FLAGS.find(({ name }) => call.isOn(name))
  if (plan && elsewhere) throw usage(`--${plan.name} of a resumption works on the host that has the execution.`)
  if (!plan) {
    const path = `/executions/${encodeURIComponent(executionId)}/resume`
    const outcome = elsewhere
      ? await throughFleet({ payload: body, device: body.deviceId, path }, call)
      : await throughDaemon('exec', body, call, path)
    if (outcome) return outcome
  }
  return resumeHere(call, fromStep)
}

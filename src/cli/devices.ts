/** `svc devices`: of this machine, or of all hosts of the fleet. */
import { unansweredField, unansweredSentence } from '../contracts/fleet.ts'
import type { Service } from '../service/service.ts'
import type { Call, CommandResult } from './command.ts'
import { isInFleet } from './fleet/concerns-fleet.ts'

export const listDevices = async (call: Call): Promise<CommandResult> => {
  const { env, services, signal, log } = call
  const ask = (service: Service) => service['devices.list']({}, { context: { caller: 'cli' }, signal })
  const listed = isInFleet(env) ? await (await import('./fleet/session.ts')).askFleet(call, undefined, ask) : undefined
  const result = listed ?? (await ask((await services()).service()))
  if (!result.ok) return { ok: false, output: result.error }
  const { devices, unanswered } = result.value
  const line = unansweredSentence(unanswered)
  if (line !== undefined) log.warn(line)
  return { ok: true, output: { devices, ...unansweredField(unanswered) } }
}

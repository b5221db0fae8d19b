/** `svc devices` and `svc device info`: of this machine, or of all hosts of the fleet. */

import type { DeviceResponse } from '../contracts/device.ts'
import { unansweredField, unansweredSentence } from '../contracts/fleet.ts'
import { deviceIdFor } from '../service/executions.ts'
import type { Result, Service } from '../service/service.ts'
import type { Call, CommandResult } from './command.ts'
import { concernsFleet, deviceOf, isInFleet } from './execution-command.ts'

export const listDevices = async (call: Call): Promise<CommandResult> => {
  const { env, services, signal, log } = call
  const ask = (service: Service) => service['devices.list']({}, { context: { caller: 'cli' }, signal })
  const listed = isInFleet(env) ? await (await import('./fleet/session.ts')).askFleet(call, undefined, ask) : undefined
  const result = listed ?? (await ask(await (await services()).service()))
  if (!result.ok) return { ok: false, output: result.error }
  const { devices, unanswered } = result.value
  const line = unansweredSentence(unanswered)
  if (line !== undefined) log.warn(line)
  return { ok: true, output: { devices, ...unansweredField(unanswered) } }
}

export const showDevice = async (call: Call): Promise<CommandResult> => {
  const { env, services, signal } = call
  const device = deviceOf(call)
  const asked = { context: { caller: 'cli' }, signal } as const
  const ask = async (service: Service): Promise<Result<DeviceResponse>> => {
    const chosen = await deviceIdFor(service, device, asked)
    return chosen.ok ? service['devices.get']({ deviceId: chosen.value }, asked) : chosen
  }
  const inFleet = concernsFleet(env, device) ? await import('./fleet/session.ts') : undefined
  const isElsewhere = inFleet?.goesToFleet(call, device)
  const found = isElsewhere ? await inFleet?.askFleet(call, device, ask) : undefined
  const result = found ?? (await ask(await (await services()).service()))
  return result.ok ? { ok: true, output: { device: result.value.device } } : { ok: false, output: result.error }
}

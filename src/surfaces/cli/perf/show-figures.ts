/** `svc perf frames` and `svc perf memory`: asked of this machine, or of the host of the fleet that has the device. */
import type { CommandContext, CommandResult } from '../command.ts'
import { askDevice } from '../devices/devices.ts'

export const showFrames = async (call: CommandContext): Promise<CommandResult> => {
  const [applicationId = ''] = call.args
  const result = await askDevice(call, (service, deviceId, options) =>
    service['apps.frames']({ deviceId, applicationId }, options),
  )
  return result.ok ? { ok: true, output: { frames: result.value.frames } } : { ok: false, output: result.error }
}

export const showMemory = async (call: CommandContext): Promise<CommandResult> => {
  const [applicationId = ''] = call.args
  const result = await askDevice(call, (service, deviceId, options) =>
    service['apps.memory']({ deviceId, applicationId }, options),
  )
  return result.ok ? { ok: true, output: { memory: result.value.memory } } : { ok: false, output: result.error }
}

/** `svc devices` in a fleet: those of all hosts that are alive, as one of them lists them. */
import type { Call, CommandResult } from '../command.ts'
import { askFleet, jsonOf } from './request.ts'
import { inFleet, interruptedEarly, unreachableError } from './session.ts'

export const devicesOfFleet = async (call: Call): Promise<CommandResult> => {
  const done = await inFleet(call, client => askFleet(client, { method: 'GET', path: '/devices' }, call))
  if (done.kind === 'interrupted') return { ok: false, output: interruptedEarly() }
  if (done.kind === 'unreachable') return { ok: false, output: unreachableError(done.why) }
  const said = jsonOf(done.value)
  return said.ok ? { ok: true, output: { devices: said.json.devices } } : { ok: false, output: said.error }
}

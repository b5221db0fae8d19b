/** `svc devices` in a fleet: those of all hosts that are alive, as one of them lists them. */
import type { Call, CommandResult } from '../command.ts'
import { askFleet, jsonOf, LIST_WITHIN_MS, warnOfUnanswered } from './request.ts'
import { inFleet, interruptedEarly, unreachableError } from './session.ts'

export const devicesOfFleet = async (call: Call): Promise<CommandResult> => {
  const done = await inFleet(call, client =>
    askFleet(client, { method: 'GET', path: '/devices', withinMs: LIST_WITHIN_MS }, call),
  )
  if (done.kind === 'interrupted') return { ok: false, output: interruptedEarly() }
  if (done.kind === 'unreachable') return { ok: false, output: unreachableError(done.why) }
  const said = jsonOf(done.value)
  if (!said.ok) return { ok: false, output: said.error }
  const { devices, unanswered } = said.json
  return { ok: true, output: { devices, ...warnOfUnanswered(unanswered, call) } }
}

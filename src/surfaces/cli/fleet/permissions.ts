/** `svc fleet permissions`: members as they are written on the command line. */

import { authorizationOf, type Member } from '../../../fleet/permissions.ts'
import { FleetConfigurationError } from '../../../fleet/servers/server-urls.ts'
import { type CommandContext, usage } from '../command.ts'
import { fleetNamesOf, usageOf } from './fleet-address.ts'

const memberOf = (text: string): Member => {
  const at = text.indexOf('=')
  if (at > 0) return { id: text.slice(0, at), nkey: text.slice(at + 1) }
  throw usage(`${JSON.stringify(text)} is not <id>=<public NKey>.`, {
    hint: 'Run nk -gen user -pubout, which prints a seed and its public key, which begins with U.',
  })
}

export const permissionsText = (
  call: CommandContext,
  { hosts, clients }: { hosts: readonly string[]; clients: readonly string[] },
): string => {
  const names = fleetNamesOf(call, call.env)
  try {
    return authorizationOf(names, { hosts: hosts.map(memberOf), clients: clients.map(memberOf) }).trimEnd()
  } catch (error) {
    if (error instanceof FleetConfigurationError) throw usageOf(error)
    throw error
  }
}

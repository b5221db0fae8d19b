/** Hosts and clients of a fleet with keys of their own, as the servers and the members themselves need them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { authorizationOf } from '../../../src/fleet/permissions.ts'
import type { Names } from '../../../src/fleet/servers/names.ts'

export interface FleetMembers {
  /** For the configuration of the servers. */
  auth: string
  /** The file with the seed of a member, for `--fleet-creds`. */
  credsOf(id: string): string
}

/** With `witness` there is a user of that name and password who may do everything. */
export const fleetMembers = (
  folder: string,
  names: Names,
  {
    hosts,
    clients = [],
    witness = false,
  }: { hosts: readonly string[]; clients?: readonly string[]; witness?: boolean },
): FleetMembers => {
  const credsOf = (id: string) => join(folder, `${id}.nk`)
  const member = (id: string) => {
    const user = nkeys.createUser()
    writeFileSync(credsOf(id), user.getSeed(), { mode: 0o600 })
    return { id, nkey: user.getPublicKey() }
  }
  const block = authorizationOf(names, { hosts: hosts.map(member), clients: clients.map(member) })
  const auth = witness ? block.replace('users: [', 'users: [\n    { user: witness, password: witness }') : block
  return { auth, credsOf }
}

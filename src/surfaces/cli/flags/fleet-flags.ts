/** How a command is told of a fleet. What reads these flags loads more, and only where they are given. */
import type { Flag } from '../command.ts'

export const FLEET_NAME_DEFAULT = 'svc'

export const FLEET_FLAGS = [
  { name: 'fleet', value: 'urls', summary: 'the NATS servers of the fleet, with commas between them (SVC_FLEET)' },
  {
    name: 'fleet-name',
    value: 'name',
    summary: `the name of the fleet (SVC_FLEET_NAME, default ${FLEET_NAME_DEFAULT})`,
  },
  {
    name: 'fleet-host',
    value: 'id',
    summary: 'the id of this host (SVC_FLEET_HOST, default: the name of the machine)',
  },
  { name: 'fleet-creds', value: 'file', summary: 'an NKey seed or a .creds file (SVC_FLEET_CREDS)' },
  {
    name: 'fleet-ca',
    value: 'file',
    summary: 'the authority that signed the certificates of the servers (SVC_FLEET_CA)',
  },
] as const satisfies readonly Flag[]

/** `svc fleet`: the hosts of a fleet, taking them out of it, and who may say what on its servers. */
import { type Command, type CommandResult, usage } from '../command.ts'
import { FLEET_FLAGS } from '../flags/fleet-flags.ts'

const HOST = { name: 'host', summary: 'the id of a host, as svc fleet status lists it', required: true }

const status: Command = {
  path: ['fleet', 'status'],
  text: async () => (await import('../fleet/hosts.ts')).fleetText,
  summary: 'list the hosts of a fleet, their devices, and when they were heard',
  details:
    'Prints {fleet, host, connected, server, hosts}, as the host that answers sees them; lag counts records of a host that\n' +
    'are not in the log of the fleet yet. If no host answers, the hosts are those that the servers know, all of them gone.',
  flags: FLEET_FLAGS,
  examples: [
    'svc fleet status --fleet nats://nats1:4222',
    'SVC_FLEET=nats://nats1:4222 svc fleet status --output pretty',
  ],
  run: async call => (await import('../fleet/hosts.ts')).showStatus(call),
}

const drain: Command = {
  path: ['fleet', 'drain'],
  text: async () => (await import('../fleet/hosts.ts')).fleetHostText,
  summary: 'have a host take nothing new, finish what runs and give its devices back',
  details:
    'Prints {host, state}. Other hosts that see the same devices may take them. To take the host back, restart svc serve.',
  args: [HOST],
  flags: FLEET_FLAGS,
  examples: ['svc fleet drain lab-2 --fleet nats://nats1:4222'],
  run: async call => (await import('../fleet/hosts.ts')).drainHost(call),
}

const forget: Command = {
  path: ['fleet', 'forget'],
  text: async () => (await import('../fleet/hosts.ts')).fleetHostText,
  summary: 'remove a host that is gone from the list',
  details: 'Prints {host, state}. Fails with FLEET_HOST_TAKEN if the host is alive. Its receipts stay where they are.',
  args: [HOST],
  flags: FLEET_FLAGS,
  examples: ['svc fleet forget lab-2 --fleet nats://nats1:4222'],
  run: async call => (await import('../fleet/hosts.ts')).forgetHost(call),
}

const permissions: Command = {
  path: ['fleet', 'permissions'],
  text: 'unchanged',
  summary: 'print the authorization of the NATS servers under which each host can only speak as itself',
  details:
    'Each member is given as <id>=<public NKey>; nk -gen user -pubout makes a seed, for --fleet-creds, and its public key.\n' +
    'Prints text for the configuration of the servers, the same for each of them. A host also speaks for the commands\n' +
    'of its machine; a client (--client) may ask hosts and read, and serves nothing.',
  args: [{ name: 'host', summary: 'a host: <id>=<public NKey>', rest: true }],
  flags: [
    FLEET_FLAGS[1],
    { name: 'client', value: 'id=nkey', summary: 'a member that is no host: a machine with commands only', many: true },
  ],
  hasNoResult: true,
  examples: [
    'svc fleet permissions lab-1=UAB... lab-2=UAC... --client ci=UAD... > authorization.conf',
    'svc fleet permissions lab-1=UAB... --fleet-name tests',
  ],
  async run(call): Promise<CommandResult> {
    const hosts = call.args
    const clients = call.all('client')
    if (hosts.length + clients.length === 0) {
      throw usage('No member is given.', {
        hint: 'Give it as svc fleet permissions <id>=<public NKey>... --client <id>=<public NKey>.',
      })
    }
    const { permissionsText } = await import('../fleet/permissions.ts')
    await call.io.print(permissionsText(call, { hosts, clients }))
    return { ok: true }
  },
}

export const fleet: readonly Command[] = [status, drain, forget, permissions]

/** `svc lease`: a device for one caller over many commands. */
import { type Command, commandShape } from '../command.ts'

const PRINTS = 'Prints {"lease": {leaseId, deviceId, since, expiresAt, ...}}'
const FOR = { name: 'for', value: 'time', summary: 'how long from now, such as 90s, 10m or 2h: at most 24h' } as const
const LEASE_ID = {
  name: 'leaseId',
  summary: 'the reservation, as svc lease list shows it',
  required: true,
  kind: 'lease',
} as const

const reserve: Command = {
  path: ['lease'],
  shape: 'svc lease [device] --for <time> [--wait <time>] [--note <text>]',
  text: async () => (await import('../devices/lease.ts')).leaseText,
  summary: 'reserve a device: others are refused until it is given back',
  details:
    `${PRINTS}. Commands act on the\n` +
    'device with --lease <leaseId>, or with SVC_LEASE set; all others get EXECUTION_CONFLICT_IN_FLIGHT. The daemon keeps the\n' +
    'reservation and is started for it. With --no-daemon this command keeps it until a signal comes or the time is over. The\n' +
    'end of the process that keeps it frees the device at once.',
  args: [
    {
      name: 'device',
      summary: 'a serial, or any for one that is free; in a fleet also <serial>@<host> or any:<labels>',
      kind: 'device',
    },
  ],
  flags: [
    FOR,
    {
      name: 'wait',
      value: 'time',
      summary: 'wait so long for a device that is busy or reserved, such as 30s: at most 10m',
    },
    { name: 'note', value: 'text', summary: 'what the device is reserved for; those who are refused read it' },
  ],
  uses: ['device', 'no-daemon'],
  examples: [
    'svc lease emulator-5554 --for 10m --note "nightly payments"',
    'svc lease any:pool=ci --for 1h --wait 30s',
  ],
  run: async call => (await import('../devices/lease.ts')).reserveDevice(call, commandShape(reserve)),
}

const list: Command = {
  path: ['lease', 'list'],
  text: async () => (await import('../devices/lease.ts')).leasesText,
  summary: 'list the reservations that are held',
  details:
    'Prints {"leases": [{leaseId, deviceId, since, expiresAt, ...}], "count": n}; in a fleet, those of all hosts.',
  examples: ['svc lease list', 'svc lease list --output text'],
  run: async call => (await import('../devices/lease.ts')).listLeases(call),
}

const extend: Command = {
  path: ['lease', 'extend'],
  shape: 'svc lease extend <leaseId> --for <time>',
  text: async () => (await import('../devices/lease.ts')).leaseText,
  summary: 'set the end of a reservation anew',
  details: `${PRINTS}. The time counts from now.`,
  args: [LEASE_ID],
  flags: [FOR],
  examples: ['svc lease extend 01a0c450-6c00-72b0-91e0-586a373dc163 --for 10m'],
  run: async call => (await import('../devices/lease.ts')).extendLease(call, commandShape(extend)),
}

const end: Command = {
  path: ['lease', 'end'],
  text: async () => (await import('../devices/lease.ts')).leaseEndedText,
  summary: 'give a device back',
  details: `${PRINTS}. An execution that is in flight ends as it does.`,
  args: [LEASE_ID],
  examples: ['svc lease end 01a0c450-6c00-72b0-91e0-586a373dc163'],
  run: async call => (await import('../devices/lease.ts')).endLease(call),
}

export const lease: readonly Command[] = [reserve, list, extend, end]

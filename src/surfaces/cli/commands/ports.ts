/** `svc forward` and `svc reverse`: ports of this machine that lead to a device, and ports of a device that lead here. */
import type { Command } from '../command.ts'
import type { PortsKind } from '../ports/ports.ts'

const END = 'tcp:<port>, localabstract:<name>, localreserved:<name> or localfilesystem:<path>'
const REPLACE = { name: 'replace', summary: 'take the place of what leads elsewhere from there' } as const
const HELD =
  'The adb server keeps it. For a device that svc speaks to directly (SVC_TCP_DEVICES), the daemon of the device holds\n' +
  'it until it is removed or the daemon ends, and is not idle meanwhile; its end at this machine is then tcp:<port>.'

const common = (kind: PortsKind) => ({
  list: {
    path: [kind, 'list'],
    text: async () => (await import('../ports/ports.ts')).portsText,
    uses: ['device'],
    run: async call => (await import('../ports/ports.ts')).listPorts(kind, call),
  } satisfies Partial<Command>,
  add: {
    path: [kind, 'add'],
    text: async () => (await import('../ports/ports.ts')).portAddedText,
    flags: [REPLACE],
    uses: ['device', 'lease', 'no-daemon'],
    run: async call => (await import('../ports/ports.ts')).addPorts(kind, call),
  } satisfies Partial<Command>,
  remove: {
    path: [kind, 'remove'],
    text: async () => (await import('../ports/ports.ts')).portRemovedText,
    uses: ['device', 'lease'],
    run: async call => (await import('../ports/ports.ts')).removePorts(kind, call),
  } satisfies Partial<Command>,
})

const forward = common('forward')
const reverse = common('reverse')

export const PORTS: readonly Command[] = [
  {
    ...forward.add,
    summary: 'have a port of this machine lead to a device',
    details: `Prints {"forward": {"deviceId", "local", "remote", "heldBy"}}; local names the port that was chosen for tcp:0.\n${HELD}`,
    args: [
      { name: 'local', summary: `at this machine: ${END}`, required: true },
      { name: 'remote', summary: 'at the device: the same, with a port above 0', required: true },
    ],
    examples: ['svc forward add tcp:8080 tcp:80', 'svc forward add tcp:0 localabstract:chrome_devtools_remote'],
  },
  {
    ...forward.list,
    summary: 'list the ports of this machine that lead to a device',
    details: 'Prints {"forwards": [{"deviceId", "local", "remote", "heldBy"}], "count"}, of one device.',
    examples: ['svc forward list', 'svc forward list --device emulator-5554'],
  },
  {
    ...forward.remove,
    summary: 'end a forward',
    details: 'Prints {"removed"} with the forward that was there.',
    args: [{ name: 'local', summary: 'its end at this machine, as svc forward list shows it', required: true }],
    examples: ['svc forward remove tcp:8080'],
  },
  {
    ...reverse.add,
    summary: 'have a port of a device lead to this machine',
    details: `Prints {"reverse": {"deviceId", "local", "remote", "heldBy"}}; remote names the port that was chosen for tcp:0.\n${HELD}`,
    args: [
      { name: 'remote', summary: `at the device: ${END}`, required: true },
      { name: 'local', summary: 'at this machine: the same, with a port above 0', required: true },
    ],
    examples: ['svc reverse add tcp:3000 tcp:3000', 'svc reverse add tcp:0 tcp:8081'],
  },
  {
    ...reverse.list,
    summary: 'list the ports of a device that lead to this machine',
    details: 'Prints {"reverses": [{"deviceId", "local", "remote", "heldBy"}], "count"}, of one device.',
    examples: ['svc reverse list'],
  },
  {
    ...reverse.remove,
    summary: 'end a reverse',
    details: 'Prints {"removed"} with the reverse that was there.',
    args: [{ name: 'remote', summary: 'its end at the device, as svc reverse list shows it', required: true }],
    examples: ['svc reverse remove tcp:3000'],
  },
]

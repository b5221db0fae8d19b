/** `svc simulate`: Android devices made of TypeScript, until a signal comes. */
import type { Command } from '../command.ts'

export const simulate: Command = {
  path: ['simulate'],
  summary: 'run simulated devices that adb and svc can use, until a signal comes',
  details:
    'Prints one JSON line when the devices are ready, {"ok": true, "devices": [{"serial", "port", "name"}]}, and keeps\n' +
    'running. Use them with adb (adb connect, or --adb), or without it: SVC_TCP_DEVICES=<serial>,... svc devices.',
  flags: [
    { name: 'count', value: 'n', summary: 'how many devices (default 1)' },
    { name: 'port', value: 'port', summary: 'the first of consecutive ports (default: any free ones)' },
    { name: 'scenario', value: 'file', summary: 'apps and screens of the devices (default: a Settings app)' },
    { name: 'faults', value: 'file', summary: 'which executions fail, and how' },
    {
      name: 'state',
      value: 'device|unauthorized|offline|screen-off|locked|no-operator',
      summary: 'the state the devices are in',
    },
    { name: 'operator', value: 'socket|broadcast|none', summary: 'how the operator app is reached (default socket)' },
    { name: 'adb', summary: 'connect them to the adb server' },
  ],
  examples: [
    'svc simulate --port 41001',
    'svc simulate --count 8 --adb',
    'svc simulate --scenario app.json --faults faults.json',
  ],
  async run(call) {
    const { runSimulation } = await (await call.heavy()).simulation()
    return runSimulation(call)
  },
}

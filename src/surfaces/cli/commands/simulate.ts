/** `svc simulate`: Android devices made of TypeScript, until a signal comes; `svc simulate from-dump`: what they are to show. */
import type { Command } from '../command.ts'

const MORE_FILES = { name: 'files', summary: 'more of them', rest: true } as const

const devices: Command = {
  path: ['simulate'],
  text: async () => (await import('../journal/simulation.ts')).simulatedText,
  summary: 'run simulated devices that adb and svc can use, until a signal comes',
  details:
    'Prints one JSON line when the devices are ready, {"ok": true, "devices": [{"serial", "port", "name"}]}, and keeps\n' +
    'running. Use them with adb (adb connect, or --adb), or without it: SVC_TCP_DEVICES=<serial>,... svc devices.\n' +
    'svc serve explains at /docs/simulated-phones how to write a scenario; svc simulate from-dump makes one of the screens\n' +
    'of a real device.',
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
    { name: 'schema', summary: 'print the JSON Schema of scenarios and exit' },
  ],
  examples: [
    'svc simulate --port 41001',
    'svc simulate --count 8 --adb',
    'svc simulate --scenario app.json --faults faults.json',
    'svc simulate --schema > scenario.schema.json',
  ],
  run: async call => (await import('../journal/simulation.ts')).runSimulation(call),
}

const fromDump: Command = {
  path: ['simulate', 'from-dump'],
  text: async () => (await import('../journal/from-dump.ts')).scenarioText,
  summary: 'make a scenario of screens dumped from a device',
  details:
    'Takes the XML of uiautomator dump and the output of svc snapshot, one screen for each file, named after it. Of a dump\n' +
    'with several windows, the active application is kept. Prints the scenario, or writes it to --output <file>,\n' +
    'which must not exist. stderr says which taps were inferred (a label that is the title of another screen) and how many\n' +
    'nodes do nothing yet.',
  writesOutput: true,
  args: [{ name: 'file', summary: 'a dump of one screen', required: true }, MORE_FILES],
  flags: [
    { name: 'force', summary: 'overwrite the file that --output names' },
    { name: 'package', value: 'name', summary: 'the application of all screens (default: that of each active window)' },
  ],
  examples: [
    'svc simulate from-dump main.xml > app.json',
    'svc simulate from-dump main.xml about.xml --output app.json',
  ],
  run: async call => (await import('../journal/from-dump.ts')).runFromDump(call),
}

export const simulate: readonly Command[] = [devices, fromDump]

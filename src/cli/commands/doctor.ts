/** `svc doctor`: what works here, what does not, and what to do about it. */
import type { Command } from '../command.ts'

export const doctor: Command = {
  path: ['doctor'],
  summary: 'check this host and the connected devices, with a hint for all that is wrong',
  details:
    'Looks at Node, the home directory, the journal, the debug bridge, each device and the operator app on it. Prints\n' +
    '{ok, version, operatorPackage, checks: [{name, status, message, hint?, details?}], devices}; a status is ok, warning\n' +
    'or failed. Exits 0 when nothing failed. It starts the adb server when there is none; it changes nothing else.',
  examples: ['svc doctor', 'svc doctor --output pretty'],
  async run(call) {
    return (await (await call.heavy()).doctor()).runDoctor(call)
  },
}

/** `svc doctor`: what works here, what does not, and what to do about it. */
import type { Command } from '../command.ts'

export const doctor: Command = {
  path: ['doctor'],
  text: async () => (await import('../doctor/doctor.ts')).doctorText,
  isReport: true,
  summary: 'check this host and the connected devices, with a hint for each problem',
  details:
    'Checks Node, the home directory, the disk, the whole journal, the policy, adb, each device and the operator that\n' +
    'commands use on it, and what emulators need: SDK tools, KVM, ABI, disk, licences. The latter fail only with AVDs or --emulators.\n' +
    'With --fleet or SVC_FLEET also the NATS servers of that fleet, seen as the host that SVC_FLEET_NAME, SVC_FLEET_HOST,\n' +
    'SVC_FLEET_CREDS and SVC_FLEET_CA describe; SVC_FLEET_MONITOR names their monitoring addresses, which tell more.\n' +
    'Prints {ok, version, operatorPackage, checks: [{name, status, message, hint?, details?}], devices}; a status is ok, warning\n' +
    'or failed. Exits with 0 if no check failed. Starts the adb server if it is not running; changes nothing else.',
  flags: [
    { name: 'emulators', summary: 'emulators are needed here: what they lack fails' },
    { name: 'fleet', value: 'url', summary: 'check the NATS servers of a fleet; several are separated by commas' },
  ],
  uses: ['device', 'operator-package', 'policy'],
  examples: [
    'svc doctor',
    'svc doctor --output pretty',
    'svc doctor --emulators',
    'svc doctor --fleet nats://a:4222,nats://b:4222',
  ],
  run: async call => (await import('../doctor/doctor.ts')).runDoctor(call),
}

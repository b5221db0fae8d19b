/** `svc devices`: what is connected, in which state. */
import type { Command } from '../command.ts'

export const devices: Command = {
  path: ['devices'],
  summary: 'list the connected devices with their states',
  details:
    'Lists the devices that adb knows, in every state, and those in SVC_TCP_DEVICES (host:port,...), which do not need\n' +
    'adb. Prints {"devices": [{"serial", "state"}]}. Fails with ADB_NOT_FOUND if adb is not installed, and with\n' +
    'ADB_SERVER_FAILED if its server does not work. With SVC_FLEET, lists those of all hosts, each with its host and labels.',
  examples: [
    'svc devices',
    'SVC_TCP_DEVICES=127.0.0.1:5555 svc devices --output pretty',
    'SVC_FLEET=nats://nats1:4222 svc devices',
  ],
  run: async call => (await import('../devices.ts')).listDevices(call),
}

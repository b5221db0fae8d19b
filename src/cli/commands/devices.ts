/** `svc devices`: what is connected, in which state. */
import type { Command } from '../command.ts'

export const devices: Command = {
  path: ['devices'],
  summary: 'list the connected devices with their states',
  details:
    'Lists what the debug bridge knows, in every state, and the devices named in SVC_TCP_DEVICES (host:port,...), which\n' +
    'need no debug bridge. Prints {"devices": [{"serial", "state"}]}. No debug bridge is ADB_NOT_FOUND, one that fails\n' +
    'ADB_SERVER_FAILED: neither is an empty list.',
  examples: ['svc devices', 'SVC_TCP_DEVICES=127.0.0.1:5555 svc devices --output pretty'],
  async run({ services, signal }) {
    return { ok: true, output: { devices: await (await services()).listDevices(signal) } }
  },
}

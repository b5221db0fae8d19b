/** `svc devices`, `svc device info` and `svc device restore`: what is connected, what a device is, and as it was before. */
import type { Command } from '../command.ts'
import { RESTORE } from './settings.ts'

const list: Command = {
  path: ['devices'],
  text: 'devices',
  summary: 'list the connected devices with their states',
  details:
    'Lists the devices that adb knows, in every state, and those in SVC_TCP_DEVICES (host:port,...), which do not need\n' +
    'adb. Prints {"devices": [{"serial", "deviceId", "state"}]}. Fails with ADB_NOT_FOUND if adb is not installed, and with\n' +
    'ADB_SERVER_FAILED if its server does not work. With SVC_FLEET, lists those of all hosts, each with its host and labels.\n' +
    'With --device, only the device of that name; DEVICE_NOT_FOUND if it is not connected.',
  uses: ['device'],
  examples: [
    'svc devices',
    'SVC_TCP_DEVICES=127.0.0.1:5555 svc devices --output pretty',
    'SVC_FLEET=nats://nats1:4222 svc devices',
  ],
  run: async call => (await import('../devices.ts')).listDevices(call),
}

const info: Command = {
  path: ['device', 'info'],
  text: 'device',
  summary: 'show model, Android version, display, battery and front app of a device',
  details:
    'Prints {"device": {serial, deviceId, model, manufacturer, androidVersion, apiLevel, abi, display, battery, frontApp}};\n' +
    'what the device does not say is left out. Without --device, asks the only device that is ready.',
  uses: ['device'],
  examples: [
    'svc device info',
    'svc device info --device emulator-5554',
    'svc device info --device emulator-5554@lab-2',
  ],
  run: async call => (await import('../devices.ts')).showDevice(call),
}

export const devices: readonly Command[] = [list, info, RESTORE]

/** `svc devices` with its verbs, `svc device info` and `svc device restore`: what is connected, how, what it is, and as it was before. */
import type { Command } from '../command.ts'
import { RESTORE } from './settings.ts'

const list: Command = {
  path: ['devices'],
  text: async () => (await import('../devices/devices.ts')).devicesText,
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
  run: async call => (await import('../devices/devices.ts')).listDevices(call),
}

const info: Command = {
  path: ['device', 'info'],
  text: async () => (await import('../devices/devices.ts')).deviceText,
  summary: 'show model, Android version, display, battery and front app of a device',
  details:
    'Prints {"device": {serial, deviceId, model, manufacturer, androidVersion, apiLevel, build, securityPatch, abi, display,\n' +
    'battery, frontApp, frontActivity, keyboardShown, orientation, awake, locked, time, users}}; what the device does not\n' +
    'say is left out. Without --device, asks the only device that is ready.',
  uses: ['device'],
  examples: [
    'svc device info',
    'svc device info --device emulator-5554',
    'svc device info --device emulator-5554@lab-2',
  ],
  run: async call => (await import('../devices/devices.ts')).showDevice(call),
}

const connect: Command = {
  path: ['devices', 'connect'],
  text: async () => (await import('../wireless/connect.ts')).connectedText,
  summary: 'connect a device over the network',
  details:
    'The adb server of this machine connects it and keeps it; it is started if none runs. Prints {"device", "already"}.\n' +
    'CONNECT_FAILED says in details.reason why not: refused, timeout, unreachable, unknown_host, unauthorized or failed.',
  args: [{ name: 'host[:port]', summary: '192.168.1.20:37099; port 5555 if none is given', required: true }],
  examples: ['svc devices connect 192.168.1.20:37099', 'svc devices connect pixel.local'],
  run: async call => (await import('../wireless/connect.ts')).connectDevice(call),
}

const disconnect: Command = {
  path: ['devices', 'disconnect'],
  text: async () => (await import('../wireless/connect.ts')).disconnectedText,
  summary: 'disconnect a device that was connected over the network, or all of them',
  details: 'Prints {"disconnected": [serial, ...]}. Devices at USB and emulators stay.',
  args: [
    { name: 'host[:port]', summary: 'as svc devices lists it; without it, all that are connected over the network' },
  ],
  examples: ['svc devices disconnect 192.168.1.20:37099', 'svc devices disconnect'],
  run: async call => (await import('../wireless/connect.ts')).disconnectDevice(call),
}

const pair: Command = {
  path: ['devices', 'pair'],
  shape: 'svc devices pair (<host:port> <code> | --qr)',
  text: async () => (await import('../wireless/pair.ts')).pairedText,
  summary: 'pair a phone for wireless debugging, by its code or a QR code',
  details:
    'Android 11 and newer: Developer options, Wireless debugging. With a code, the phone is paired; connect it afterwards\n' +
    'at the port that svc devices discover shows. With --qr, shows a QR code on stderr, waits until a phone has scanned\n' +
    'it, pairs and connects it. Prints {"paired": {"address", "guid"}, "device", "connectAt"}; null for what is not known.',
  args: [
    { name: 'host:port', summary: 'the address that the phone shows beside the code' },
    { name: 'code', summary: 'the six digits' },
  ],
  flags: [
    { name: 'qr', summary: 'show a QR code for the phone to scan' },
    { name: 'for', value: 'seconds', summary: 'how long to wait for a phone to scan it, 5 to 600; 120 unless given' },
  ],
  examples: ['svc devices pair 192.168.1.20:41235 314159', 'svc devices pair --qr'],
  run: async call => (await import('../wireless/pair.ts')).pairDevice(call),
}

const discover: Command = {
  path: ['devices', 'discover'],
  text: async () => (await import('../wireless/connect.ts')).discoveredText,
  summary: 'list the devices that the adb server discovers in the network',
  details:
    'Prints {"services": [{"name", "kind", "address"}], "count"}. kind is pairing for a phone that shows a code, connect for\n' +
    'one that takes hosts it is paired with, and classic for adb over TCP. Needs an adb server with mDNS.',
  examples: ['svc devices discover'],
  run: async call => (await import('../wireless/connect.ts')).discoverDevices(call),
}

export const devices: readonly Command[] = [list, connect, disconnect, pair, discover, info, RESTORE]

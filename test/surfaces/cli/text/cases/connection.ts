/** Devices in the network, ports to and from a device, and figures of an application. */
import { startupText } from '../../../../../src/surfaces/cli/perf/measure-startup.ts'
import { framesText, memoryText } from '../../../../../src/surfaces/cli/perf/show-figures.ts'
import { portAddedText, portRemovedText, portsText } from '../../../../../src/surfaces/cli/ports/ports.ts'
import { connectedText, disconnectedText, discoveredText } from '../../../../../src/surfaces/cli/wireless/connect.ts'
import { pairedText } from '../../../../../src/surfaces/cli/wireless/pair.ts'
import { type Case, CJK, EMOJI, HOSTILE } from './case.ts'

const device = { serial: '192.168.1.20:37099', deviceId: '192.168.1.20:37099', state: 'device' }
const forward = { deviceId: 'emulator-5554', local: 'tcp:8080', remote: 'tcp:80', heldBy: 'adb-server' }
const held = {
  deviceId: '127.0.0.1:41001',
  local: 'tcp:40123',
  remote: 'localabstract:chrome_devtools_remote',
  heldBy: { pid: 4_711 },
}
const execution = {
  envelope: {
    commandId: 'c',
    taskId: 't',
    status: 'success',
    stepResults: [{ id: 'a', actionType: 'measure_startup', success: true, data: { application_id: 'a.b' } }],
    error: null,
  },
  deviceId: 'emulator-5554',
  terminalSource: 'svc_result',
  isCanonicalTerminal: true,
}
const runs = [
  { kind: 'cold', totalMs: 1_204, waitMs: 1_219 },
  { kind: 'hot', totalMs: 85, waitMs: 91 },
  { kind: null, totalMs: null, waitMs: null },
]

export const CONNECTION_CASES: readonly Case[] = [
  { about: 'a device that is connected', printer: connectedText, output: { device, already: false } },
  {
    about: 'one that was',
    printer: connectedText,
    output: { device: { ...device, deviceId: HOSTILE }, already: true },
  },
  { about: 'nothing to disconnect', printer: disconnectedText, output: { disconnected: [] } },
  {
    about: 'disconnected devices',
    printer: disconnectedText,
    output: { disconnected: ['192.168.1.20:37099', HOSTILE] },
  },
  {
    about: 'a phone that is paired',
    printer: pairedText,
    output: { paired: { address: '192.168.1.20:41235', guid: 'adb-S-x' }, device: null, connectAt: null },
  },
  {
    about: 'one that says where it can be connected',
    printer: pairedText,
    output: { paired: { address: '[fe80::1]:41235', guid: null }, device: null, connectAt: '192.168.1.20:37099' },
  },
  {
    about: 'one that is connected too',
    printer: pairedText,
    output: { paired: { address: '192.168.1.20:41235', guid: 'adb-S-x' }, device, connectAt: null },
  },
  { about: 'nothing discovered', printer: discoveredText, output: { services: [], count: 0 } },
  {
    about: 'discovered services',
    printer: discoveredText,
    output: {
      services: [
        { name: 'adb-SERIAL-a1b2c3', kind: 'connect', address: '192.168.1.20:37099' },
        { name: `${CJK} ${EMOJI}`, kind: 'pairing', address: '192.168.1.21:41235' },
        { name: HOSTILE, kind: 'classic', address: '192.168.1.22:5555' },
      ],
      count: 3,
    },
  },
  { about: 'no forward', printer: portsText, output: { forwards: [], count: 0 } },
  { about: 'forwards', printer: portsText, output: { forwards: [forward, held], count: 2 } },
  { about: 'no reverse', printer: portsText, output: { reverses: [], count: 0 } },
  { about: 'reverses', printer: portsText, output: { reverses: [{ ...held, deviceId: HOSTILE }], count: 1 } },
  { about: 'a new forward', printer: portAddedText, output: { forward } },
  { about: 'a new reverse', printer: portAddedText, output: { reverse: { ...held, deviceId: HOSTILE } } },
  { about: 'a removed one', printer: portRemovedText, output: { removed: held } },
  {
    about: 'measured starts',
    printer: startupText,
    output: { ...execution, startup: { applicationId: 'com.example.notes', runs, medianMs: 645 } },
  },
  {
    about: 'starts without figures',
    printer: startupText,
    output: { ...execution, startup: { applicationId: HOSTILE, runs: runs.slice(2), medianMs: null } },
  },
  { about: 'an execution without starts', printer: startupText, output: execution },
  {
    about: 'frames',
    printer: framesText,
    output: {
      frames: { applicationId: 'a.b', running: true, total: 248, janky: 31, p50: 9, p90: 17, p95: 24, p99: 48 },
    },
  },
  {
    about: 'no frames',
    printer: framesText,
    output: {
      frames: { applicationId: HOSTILE, running: true, total: 0, janky: 0, p50: null, p90: null, p95: null, p99: null },
    },
  },
  {
    about: 'memory',
    printer: memoryText,
    output: {
      memory: { applicationId: 'a.b', running: true, totalPss: 51_236, java: 7_628, native: 1, graphics: null },
    },
  },
  {
    about: 'an application that does not run',
    printer: memoryText,
    output: {
      memory: { applicationId: HOSTILE, running: false, totalPss: null, java: null, native: null, graphics: null },
    },
  },
]

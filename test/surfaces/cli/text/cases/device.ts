/** Devices, emulators, the operator helpers and a fleet. */
import { appsText, appText } from '../../../../../src/surfaces/cli/devices/apps.ts'
import { devicesText, deviceText } from '../../../../../src/surfaces/cli/devices/devices.ts'
import {
  avdCreatedText,
  avdsText,
  avdText,
  emulatorDeletedText,
  emulatorReadyText,
  emulatorStoppedText,
  runningEmulatorsText,
} from '../../../../../src/surfaces/cli/devices/emulators.ts'
import { filesText } from '../../../../../src/surfaces/cli/devices/files.ts'
import { leaseEndedText, leasesText, leaseText } from '../../../../../src/surfaces/cli/devices/lease.ts'
import { notificationsText } from '../../../../../src/surfaces/cli/devices/logs.ts'
import { recordingText } from '../../../../../src/surfaces/cli/devices/record.ts'
import { settingsText } from '../../../../../src/surfaces/cli/devices/settings.ts'
import { fleetHostText, fleetText } from '../../../../../src/surfaces/cli/fleet/hosts.ts'
import { operatorCheckedText } from '../../../../../src/surfaces/cli/operator/check.ts'
import {
  operatorInstalledText,
  operatorReportText,
  operatorStatusText,
  operatorUninstalledText,
} from '../../../../../src/surfaces/cli/operator/operator.ts'
import { type Case, CJK, EMOJI, HOSTILE, ID, NOW, RTL } from './case.ts'

const avd = {
  ok: true,
  name: 'svc-pixel-12gb',
  exists: true,
  running: true,
  apiLevel: 35,
  abi: 'arm64-v8a',
  playStore: true,
  deviceProfile: 'pixel_7',
  systemImage: 'system-images;android-35;google_apis_playstore;arm64-v8a',
  supported: true,
  unsupportedReasons: [],
}
const bareAvd = {
  ...avd,
  name: 'old',
  running: false,
  apiLevel: null,
  abi: null,
  playStore: false,
  deviceProfile: null,
  systemImage: null,
  supported: false,
  unsupportedReasons: ['missing_play_store', 'unsupported_abi'],
}

const host = {
  host: 'lab-1',
  state: 'serving',
  version: '0.1.0',
  protocol: 1,
  pid: 4,
  startedAt: NOW - 3_600_000,
  labels: { tag: 'lab', 房间: '三楼' },
  devices: 4,
  ready: 3,
  busy: 1,
  lag: 2,
  lastContactMs: 1_250,
}

const packages = [
  {
    packageName: 'com.callstack.agentdevice.snapshothelper',
    purpose: 'reads the screen',
    is: 'ours',
    status: 'updated',
  },
  { packageName: 'com.callstack.agentdevice.imehelper', purpose: 'types text that keys cannot', is: 'missing' },
]
const operator = { ok: true, deviceId: 'R5CT1234567', operatorPackage: 'svc.uiautomator', packages }
const timed = { ok: 20, failures: [], ms: { least: 31, median: 42.5, most: 1_210 } }

const app = {
  applicationId: 'com.example.notes',
  kind: 'user',
  versionCode: 15,
  versionName: `1.5 ${HOSTILE}`,
  minSdk: 26,
  targetSdk: 35,
  debuggable: true,
  enabled: false,
  installer: 'com.android.vending',
  splits: ['config.xhdpi', 'config.fr'],
  lastUpdated: '2026-11-20 10:11:12',
  permissions: [
    { permission: 'android.permission.CAMERA', granted: true },
    { permission: 'android.permission.RECORD_AUDIO', granted: false },
  ],
}

const LEASE = {
  leaseId: ID,
  deviceId: 'emulator-5554@desk-1',
  host: 'desk-1',
  since: NOW,
  expiresAt: NOW + 600_000,
  sessionId: ID,
}

export const DEVICE_CASES: readonly Case[] = [
  {
    about: 'settings',
    printer: settingsText,
    output: {
      settings: {
        orientation: 'landscape_left',
        dark_mode: true,
        wifi: false,
        font_scale: null,
        brightness: 102,
        locale: 'fr\u001b[31m-FR',
        location: { latitude: -33.8, longitude: 151.2 },
        battery: { level: 15, plugged: 'ac' },
      },
    },
  },
  { about: 'no notifications', printer: notificationsText, output: { notifications: [], count: 0 } },
  {
    about: 'notifications',
    printer: notificationsText,
    output: {
      notifications: [
        {
          applicationId: 'com.chat',
          id: 1,
          key: 'k1',
          title: HOSTILE,
          text: `${CJK}\n${RTL}`,
          ongoing: false,
          at: NOW - 5_000,
        },
        {
          applicationId: 'com.music',
          id: 2,
          key: 'k2',
          title: EMOJI,
          bigText: 'all of it',
          text: 'a part',
          ongoing: true,
        },
        { applicationId: 'com.bare', id: 3, key: 'k3', ongoing: false },
      ],
      count: 3,
    },
  },
  { about: 'no applications', printer: appsText, output: { apps: [], count: 0 } },
  {
    about: 'applications',
    printer: appsText,
    output: {
      apps: [
        { applicationId: 'com.android.settings', kind: 'system' },
        { applicationId: 'com.example.notes', kind: 'user', versionCode: 15 },
      ],
      count: 2,
    },
  },
  { about: 'an empty folder', printer: filesText, output: { files: [], count: 0 } },
  {
    about: 'a folder',
    printer: filesText,
    output: {
      files: [
        { name: 'DCIM', kind: 'folder', mode: 'rwxrwx---', modifiedAt: 1_700_000_000_000 },
        { name: 'a\u001b[2Jb.txt', kind: 'file', bytes: 1_234, mode: 'rw-rw----', modifiedAt: 1_700_000_000_000 },
        { name: 'pipe', kind: 'fifo', mode: 'rw-------', modifiedAt: 1_700_000_000_000 },
      ],
      count: 3,
    },
  },
  { about: 'an application', printer: appText, output: { app } },
  {
    about: 'an application of which little is known',
    printer: appText,
    output: { app: { applicationId: 'android', kind: 'system', debuggable: false, enabled: true, permissions: [] } },
  },
  { about: 'no devices', printer: devicesText, output: { devices: [] } },
  {
    about: 'devices in all states',
    printer: devicesText,
    output: {
      devices: [
        {
          serial: 'emulator-5554',
          deviceId: 'emulator-5554@lab-1',
          state: 'device',
          host: 'lab-1',
          labels: { tag: CJK },
        },
        {
          serial: 'R5',
          deviceId: 'R5@lab-2',
          state: 'device',
          host: 'lab-2',
          labels: { a: RTL, b: EMOJI },
          draining: true,
        },
        { serial: '127.0.0.1:41001', deviceId: '127.0.0.1:41001@a-host-with-a-long-name', state: 'unauthorized' },
        { serial: 'x', deviceId: HOSTILE, state: 'offline' },
      ],
    },
  },
  {
    about: 'a device with all facts',
    printer: deviceText,
    output: {
      device: {
        serial: 'emulator-5554',
        deviceId: 'emulator-5554',
        manufacturer: 'Samsung',
        model: `SM-S911B ${CJK} ${EMOJI}`,
        androidVersion: '15',
        apiLevel: 35,
        abi: 'arm64-v8a',
        display: { width: 1080, height: 2400, density: 420 },
        battery: { percent: 87, status: 'charging' },
        frontApp: 'com.android.settings',
      },
    },
  },
  { about: 'a device that says nothing', printer: deviceText, output: { device: { serial: 'x', deviceId: 'x' } } },
  { about: 'no AVD', printer: avdsText, output: { ok: true, avds: [] } },
  { about: 'AVDs', printer: avdsText, output: { ok: true, avds: [avd, bareAvd] } },
  { about: 'an AVD', printer: avdText, output: avd },
  { about: 'an AVD that does not exist', printer: avdText, output: { ...avd, exists: false } },
  { about: 'a new AVD', printer: avdCreatedText, output: avd },
  { about: 'no emulator', printer: runningEmulatorsText, output: { ok: true, devices: [] } },
  {
    about: 'emulators that run',
    printer: runningEmulatorsText,
    output: {
      devices: [
        {
          type: 'emulator',
          avdName: 'a',
          serial: 'emulator-5554',
          booted: true,
          supported: true,
          unsupportedReasons: [],
        },
        {
          type: 'emulator',
          avdName: '',
          serial: 'emulator-5556',
          booted: false,
          supported: false,
          unsupportedReasons: ['unsupported_api_level', 'unsupported_device_profile'],
        },
      ],
    },
  },
  { about: 'a start', printer: emulatorReadyText, output: { avdName: 'a', serial: 'emulator-5554', booted: true } },
  {
    about: 'a provision that made one',
    printer: emulatorReadyText,
    output: { avdName: 'a', serial: 'emulator-5554', booted: true, created: true, started: true, reused: false },
  },
  {
    about: 'a provision that found one',
    printer: emulatorReadyText,
    output: { avdName: 'a', serial: 'emulator-5554', booted: true, created: false, started: false, reused: true },
  },
  {
    about: 'a provision that started one',
    printer: emulatorReadyText,
    output: { avdName: 'a', serial: 'emulator-5554', booted: true, created: false, started: true, reused: true },
  },
  { about: 'a stop', printer: emulatorStoppedText, output: { avdName: 'a', stopped: true } },
  { about: 'a delete', printer: emulatorDeletedText, output: { avdName: 'a', deleted: true } },
  {
    about: 'helpers installed',
    printer: operatorInstalledText,
    output: { ...operator, notes: ['While the helper runs, it reads all that is on the screen and can touch it.'] },
  },
  {
    about: 'helpers that are missing',
    printer: operatorStatusText,
    output: { ...operator, ready: false, running: false },
  },
  {
    about: 'helpers that run',
    printer: operatorStatusText,
    output: { ...operator, ready: true, running: true, keyboardToRestore: 'com.google.android.inputmethod.latin/.Ime' },
  },
  {
    about: 'an operator app that breaks a rule',
    printer: operatorCheckedText,
    output: {
      ...{ ok: false, deviceId: 'emulator-5554', operatorPackage: 'com.example.operator', held: 1, all: 2 },
      checks: [
        { id: 'answers-broadcast', held: true, detail: 'The answer came.' },
        { id: 'keeps-odd-text', held: false, detail: `taskId is "${EMOJI}". Copy taskId of the request unchanged.` },
      ],
      leftOut: [
        { id: 'socket-hello', reason: 'The app does not listen.' },
        { id: 'socket-executes', reason: 'The app does not listen.' },
      ],
    },
  },
  {
    about: 'an operator app that keeps its protocol',
    printer: operatorCheckedText,
    output: {
      ...{ ok: true, deviceId: 'emulator-5554', operatorPackage: 'com.example.operator', held: 1, all: 1, leftOut: [] },
      checks: [{ id: 'answers-broadcast', held: true, detail: 'The answer came.' }],
    },
  },
  { about: 'helpers removed', printer: operatorUninstalledText, output: operator },
  {
    about: 'a report of the helper',
    printer: operatorReportText,
    output: {
      ...operator,
      path: '/home/me/svc-operator-report.json',
      report: {
        start: timed,
        snapshots: timed,
        taps: { ok: 0, failures: ['no empty place on the screen'], ms: null },
        text: { status: 'skipped', reason: 'no --field' },
      },
    },
  },
  {
    about: 'a fleet',
    printer: fleetText,
    output: {
      fleet: 'tests',
      host: 'lab-1',
      connected: true,
      server: '2.11.0',
      hosts: [host, { ...host, host: `lab-${EMOJI}`, state: 'gone', lag: undefined, lastContactMs: undefined }],
    },
  },
  {
    about: 'a fleet that no host speaks for',
    printer: fleetText,
    output: { fleet: 'f', connected: false, hosts: [host] },
  },
  { about: 'a drained host', printer: fleetHostText, output: { host: 'lab-2', state: 'draining' } },
  {
    about: 'a recording',
    printer: recordingText,
    output: {
      recording: {
        ...{ recordingId: 'r1', deviceId: 'emulator-5554', hardwareSerial: 'h', state: 'failed', reason: 'failed' },
        ...{ startedAt: 1_790_000_000_000, bytes: 1_234_567, folder: '/home/me/.svc/recordings/r1' },
        error: { code: 'RECORDING_FAILED', message: 'The device does not record its screen.' },
        segments: [
          { segment: 1, startedAt: 0, endedAt: 170_000, bytes: 1_234_000, file: 'segment-1.mp4', playable: true },
          { segment: 2, startedAt: 171_000, endedAt: 172_000, bytes: 567, file: 'segment-2.mp4', playable: false },
          { segment: 3, startedAt: 173_000, problem: `The device no longer had the file ${EMOJI}` },
          { segment: 4, startedAt: 174_000 },
        ],
      },
    },
  },
  { about: 'a device that was never recorded', printer: recordingText, output: { recording: null } },
  { about: 'a device that is reserved', printer: leaseText, output: { lease: LEASE } },
  { about: 'a device that was given back', printer: leaseEndedText, output: { lease: LEASE } },
  {
    about: 'devices that are reserved',
    printer: leasesText,
    output: { leases: [LEASE, { ...LEASE, deviceId: HOSTILE, sessionId: undefined, host: undefined }] },
  },
  { about: 'no device is reserved', printer: leasesText, output: { leases: [] } },
]

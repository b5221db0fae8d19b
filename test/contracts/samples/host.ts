/** Valid samples of the shapes around devices, emulators, the daemon, actors and the operator, by schema name. */
import type { SchemaName } from '../../../src/contracts/json/public-shapes.ts'
import { envelope, execution, refusal, stepResult, success } from './execution.ts'

const buildIdentity = { entryPath: '/usr/bin/svc', mtimeMs: 1.5, size: 10 }

const SEGMENT = {
  ...{ segment: 1, file: 'segment-1.mp4', startedAt: 1, endedAt: 9, bytes: 7, sha256: 'ab', rotation: 0 },
  ...{ playable: true, endedBy: 'stopped' },
}
const LEASE = {
  leaseId: '01a0c450-6c00-72b0-91e0-586a373dc163',
  deviceId: 'emulator-5554@host-a',
  host: 'host-a',
  since: 1_790_000_000_000,
  expiresAt: 1_790_000_060_000,
  sessionId: '5d4cbd2b-7b53-4f0e-9c9a-4f7f5f2a9f10',
}
const RECORDING = {
  ...{ recordingId: 'r1', deviceId: 'd1', hardwareSerial: 'h1', state: 'saved', startedAt: 1, endedAt: 9 },
  ...{ reason: 'stopped', bytes: 7, folder: '/home/u/.svc/recordings/r1', segments: [SEGMENT] },
}

export const avd = {
  name: 'svc-pixel-12gb',
  exists: true,
  running: false,
  apiLevel: 35,
  abi: 'arm64-v8a',
  playStore: true,
  deviceProfile: 'pixel_7',
  systemImage: 'system-images;android-35;google_apis_playstore;arm64-v8a',
  supported: false,
  unsupportedReasons: ['unsupported_abi'],
}
export const unknownAvd = {
  name: 'nobody',
  exists: false,
  running: false,
  apiLevel: null,
  abi: null,
  playStore: null,
  deviceProfile: null,
  systemImage: null,
  supported: false,
  unsupportedReasons: [],
}
const running = {
  type: 'emulator',
  avdName: 'a',
  serial: 'emulator-5554',
  booted: true,
  supported: true,
  unsupportedReasons: [],
}
const started = { ok: true, type: 'emulator', avdName: 'a', serial: 'emulator-5554', booted: true }

export const metadata = {
  pid: 4242,
  startedAt: 1_700_000_000_000,
  daemonKey: 'default',
  cliEntryPath: '/usr/bin/svc',
  rawDeviceId: '',
}
export const runningReport = {
  status: 'running',
  socketPath: '/s',
  pid: 4242,
  version: '0.1.0',
  buildIdentity,
  uptimeSeconds: 0,
}
const reports = ['started', 'already_running', 'stopped', 'not_running', 'unowned'].map(status => ({
  status,
  socketPath: '/s',
}))

const record = {
  seq: 7,
  actor: 'device:emulator-5554',
  n: 1,
  machine: 'device',
  version: 1,
  at: 1,
  event: { type: 'execution.requested' },
  digest: null,
  from: 'idle',
  to: 'running.accepted',
  tags: ['in-flight'],
}
const summary = {
  executionId: 'e',
  commandId: 'c',
  taskId: 't',
  deviceId: 'emulator-5554',
  state: 'accepted',
  acceptedAt: 1,
  steps: ['click'],
}
const actor = { id: 'device:emulator-5554', machine: 'device', state: 'running', tags: ['in-flight'], updatedAt: 1 }
const history = { seq: 1, at: 2, type: 'execution.requested', event: { type: 'execution.requested', at: 2 } }

export const nonce = '0123456789abcdef0123456789abcdef'
export const wireId = '01890a5d-ac96-774b-bcce-b302099a8057.0'
export const request = { ...execution, commandId: wireId, nonce, protocol: 1 }
export const wireEnvelope = { ...envelope, commandId: wireId, nonce }
export const chunk = {
  commandId: wireId,
  nonce,
  index: 0,
  count: 2,
  byteLength: 5_000,
  sha256: 'ab'.repeat(32),
  data: 'aGVsbG8=',
}

const fleetHost = {
  host: 'lab1',
  state: 'serving',
  version: '0.1.0',
  protocol: 1,
  pid: 12,
  startedAt: 1,
  labels: { tag: 'lab' },
  devices: 2,
  ready: 1,
  busy: 0,
  lag: 0,
  lastContactMs: 120,
}

const LOG_LINE = {
  time: '2024-03-05T07:08:09.000001Z',
  pid: 3_003,
  tid: 3_004,
  uid: 10_103,
  level: 'warn',
  tag: 'Net',
  message: 'two\nlines',
  applicationId: 'com.example',
}

const NOTIFICATION = { applicationId: 'com.example', id: 1, key: '0|com.example|1|null|10103', ongoing: false }

const APP_INFO = {
  applicationId: 'com.example',
  kind: 'user',
  versionCode: 15,
  versionName: '1.5',
  minSdk: 26,
  targetSdk: 35,
  uid: 10_123,
  debuggable: true,
  enabled: true,
  installer: 'com.android.vending',
  splits: ['config.xhdpi'],
  lastUpdated: '2026-11-20 10:11:12',
  permissions: [{ permission: 'android.permission.CAMERA', granted: false }],
}

const DEVICE_INFO = {
  serial: 'a',
  deviceId: 'a',
  model: 'Pixel 8',
  manufacturer: 'Google',
  androidVersion: '15',
  apiLevel: 35,
  abi: 'arm64-v8a',
  display: { width: 1_080, height: 2_400, density: 420 },
  battery: { percent: 87, status: 'charging' },
  frontApp: 'com.android.settings',
  users: [{ id: 0, name: 'Owner', running: true, current: true }],
}

const FRAMES = { applicationId: 'a.b', running: true, total: 0, janky: 0, p50: null, p90: null, p95: null, p99: null }
const MEMORY = { applicationId: 'a.b', running: true, totalPss: 51_236, java: 7_628, native: 10_232, graphics: null }
const FORWARD = { deviceId: 'a', local: 'tcp:8080', remote: 'tcp:80', heldBy: 'adb-server' }

const FLOW_ERROR = {
  code: 'NODE_NOT_FOUND',
  message: 'No element.',
  hint: 'Look.',
  details: { nearest: ['Pay'] },
  file: '/flows/pay.yaml',
  line: 4,
  command: '- tapOn: Pay',
}
const TEST_RUN = {
  testRunId: 't1',
  state: 'ended',
  verdict: 'failed',
  startedAt: 1,
  endedAt: 9,
  folder: '/home/test-runs/t1',
  host: 'desk',
  flows: [
    {
      flow: 'pay.yaml',
      name: 'pay',
      tags: ['smoke'],
      properties: { owner: 'ann' },
      deviceId: 'd1',
      verdict: 'failed',
      reason: 'why',
      attempts: [
        {
          flowRunId: 't1.1.1',
          attempt: 1,
          deviceId: 'd1',
          verdict: 'failed',
          startedAt: 2,
          endedAt: 8,
          error: FLOW_ERROR,
          files: ['1-1/failure.png'],
          commands: [
            {
              index: 0,
              depth: 0,
              name: 'tapOn',
              text: 'Tap on "Pay"',
              file: '/flows/pay.yaml',
              line: 4,
              verdict: 'failed',
              startedAt: 3,
              endedAt: 7,
              executionIds: ['e1'],
              error: FLOW_ERROR,
              files: ['1-1/001-a.png'],
            },
          ],
        },
      ],
    },
  ],
  error: { code: 'FLOW_INVALID', message: 'No flow.' },
}

export const SAMPLES = {
  FleetHostStatus: [fleetHost, { ...fleetHost, state: 'gone', lag: undefined, lastContactMs: undefined }].map(each =>
    JSON.parse(JSON.stringify(each)),
  ),
  FleetStatusResponse: [
    { ok: true, fleet: 'svc', host: 'lab1', connected: true, server: '2.15.1', hosts: [fleetHost] },
    { ok: true, fleet: 'svc', host: 'lab1', connected: false, hosts: [] },
  ],
  FleetHostResponse: [{ ok: true, host: 'lab2', state: 'draining' }],
  ParcelPiece: [
    { total: 0, offset: 0, data: '' },
    { deviceId: 'a@lab2', total: 3, offset: 0, data: 'YWJj' },
  ],
  ParcelReceived: [{ ok: true, received: 3, whole: true }],
  BroughtQuery: [{ offset: '0' }],
  BroughtPiece: [{ ok: true, kind: 'file', total: 3, digest: 'ab'.repeat(32), data: 'YWJj' }],

  BuildIdentity: [buildIdentity, { entryPath: null, mtimeMs: null, size: null }],
  PingResponse: [{ ok: true }],
  HealthResponse: [
    { ok: true, troubles: [] },
    { ok: true, troubles: [{ what: 'a listener failed', message: 'no', times: 2, firstAt: 1, lastAt: 2 }] },
  ],
  VersionResponse: [
    { version: '0.1.0', buildIdentity },
    { version: '0.1.0', buildIdentity, journal: 'a1b2' },
  ],
  FilesQuery: [{ path: '/sdcard' }, { path: 'files', applicationId: 'com.example' }],
  ListedFile: [{ name: 'a', kind: 'file', bytes: 3, mode: 'rw-r--r--', modifiedAt: 1_700_000_000_000 }],
  FilesResponse: [{ ok: true, files: [{ name: 'd', kind: 'folder', mode: 'rwxrwx---', modifiedAt: 0 }], count: 1 }],
  DevicesQuery: [{}, { phones: 'true' }],
  AppsQuery: [{}, { kind: 'user' }],
  ListedApp: [{ applicationId: 'com.example', kind: 'user', versionCode: 3 }],
  Frames: [FRAMES],
  FramesResponse: [{ ok: true, frames: FRAMES }],
  Memory: [MEMORY],
  MemoryResponse: [{ ok: true, memory: MEMORY }],
  Forward: [FORWARD, { ...FORWARD, heldBy: { pid: 4711 } }],
  ForwardBody: [
    { local: 'tcp:0', remote: 'localabstract:echo' },
    { local: 'localfilesystem:/tmp/s', remote: 'tcp:80', replace: true },
  ],
  ForwardResponse: [{ ok: true, forward: FORWARD }],
  ForwardsResponse: [{ ok: true, forwards: [FORWARD], count: 1 }],
  ReverseBody: [{ local: 'tcp:3000', remote: 'tcp:0' }],
  ReverseResponse: [{ ok: true, reverse: FORWARD }],
  ReversesResponse: [{ ok: true, reverses: [], count: 0 }],
  AppsResponse: [{ ok: true, apps: [{ applicationId: 'android', kind: 'system' }], count: 1 }],
  AppInfo: [APP_INFO],
  LeaseBody: [
    { device: 'emulator-5554', forMs: 60_000 },
    { device: 'any:pool=ci', forMs: 60_000, waitMs: 0, sessionId: '5d4cbd2b-7b53-4f0e-9c9a-4f7f5f2a9f10' },
  ],
  LeaseExtension: [{ forMs: 60_000 }],
  Lease: [LEASE],
  LeaseResponse: [{ ok: true, lease: LEASE }],
  LeasesResponse: [{ ok: true, leases: [LEASE], count: 1 }],
  RecordingRequest: [{}, { forMs: 60_000, bitRate: 4_000_000, size: '720x1280' }],
  RecordingSegment: [SEGMENT, { segment: 2, startedAt: 1 }],
  Recording: [RECORDING],
  RecordingResponse: [{ ok: true, recording: RECORDING }],
  RecordingStatusResponse: [
    { ok: true, recording: RECORDING },
    { ok: true, recording: null },
  ],
  TestRunBegun: [{ ok: true, testRunId: 't1' }],
  TestRunRequest: [
    { paths: ['/flows'], env: { USER: 'annabel' }, secrets: ['USER'], retries: 2, shardAll: true, failFast: false },
    { yaml: 'appId: a\n---\n- back\n', includeTags: ['a'], excludeTags: ['b'], devices: ['d1'] },
  ],
  TestRunResponse: [{ ok: true, testRun: TEST_RUN }],
  TestRunsResponse: [{ ok: true, testRuns: [TEST_RUN] }],
  RecordedPart: [{ recordingId: 'r1', segment: 1, fromMs: 0, toMs: 1_500, playable: true }],
  AppResponse: [{ ok: true, app: APP_INFO }],
  SettingsResponse: [
    {
      ok: true,
      settings: { dark_mode: true, font_scale: null, locale: 'fr-FR', battery: { level: 15, plugged: 'ac' } },
    },
  ],
  LogLine: [LOG_LINE],
  PlacedLogLine: [{ ...LOG_LINE, position: '0-1.000000000-1-1' }],
  LogGap: [{ from: LOG_LINE.time, to: LOG_LINE.time }],
  LogsQuery: [{}, { app: 'com.example', level: 'E' }],
  LogLinesQuery: [{}, { limit: '100', take: 'first', waitMs: '0' }],
  LogLinesResponse: [{ ok: true, lines: [], count: 0, more: false, position: '0-1.000000000-1-1' }],
  Notification: [NOTIFICATION],
  NotificationsResponse: [{ ok: true, notifications: [NOTIFICATION], count: 1 }],
  DeviceInfo: [DEVICE_INFO, { serial: 's', deviceId: 's@lab-1', host: 'lab-1' }],
  DeviceResponse: [{ ok: true, device: DEVICE_INFO }],
  DeviceRecord: [{ serial: 'emulator-5554', state: 'device' }],
  ListedDevice: [
    { serial: 'emulator-5554', deviceId: 'emulator-5554', state: 'device' },
    { serial: 's', deviceId: 's@lab-1', state: 'device', host: 'lab-1', labels: { tag: 'lab' } },
  ],
  DevicesResponse: [{ ok: true, devices: [{ serial: 'a', deviceId: 'a', state: 'unauthorized' }] }],
  GapData: [
    { reason: 'log-expired' },
    { reason: 'journal-replaced', host: 'h' },
    { reason: 'records-unreadable', host: 'h' },
    { reason: 'records-missing', host: 'h', from: 1, to: 2 },
  ],
  HeartbeatData: [{ code: 'CONNECTED', message: 'hello' }],
  ResultData: [{ deviceId: 'a', envelope }],
  ExecutionData: [
    { deviceId: 'a', input: execution, result: success },
    { deviceId: 'a', input: null, result: refusal },
  ],
  ActorSummary: [actor],
  StepProgress: [{ what: 'sending a', done: 1, total: 2 }],
  TransitionRecord: [
    {
      seq: 8,
      actor: actor.id,
      machine: 'device',
      event: 'execution.progressed',
      from: 'running',
      to: 'running',
      at: 1,
      progress: { what: 'sending a', done: 1, total: 2 },
    },
    { seq: 7, actor: actor.id, machine: 'device', event: 'execution.requested', from: 'idle', to: 'running', at: 1 },
  ],
  HistoryEvent: [history],
  ActorsResponse: [{ ok: true, actors: [actor] }],
  ActorResponse: [{ ok: true, actor }],
  ActorHistoryResponse: [
    { ok: true, events: [history], next: 1 },
    { ok: true, events: [] },
  ],
  HistoryQuery: [{}, { after: '0', limit: '1000' }],
  TransitionsQuery: [{}, { actor: 'a', machine: 'device' }, { scope: 'fleet' }],
  ExecutionQuery: [{}, { waitMs: '5000' }],
  PictureQuery: [{}, { position: '0' }],
  EventsQuery: [{}, { scope: 'host' }],
  ViewedActorsResponse: [
    { ok: true, head: 0, actors: [], older: false },
    {
      ok: true,
      head: 7,
      actors: [{ ...actor, seq: 7, since: 1, work: { executionId: 'e', skillId: 'a.b' } }],
      older: true,
    },
  ],
  ActorRecordsResponse: [
    { ok: true, records: [] },
    { ok: true, records: [record], start: { n: 1, seq: 6, version: 1, snapshot: { value: 'idle' } }, next: 7 },
  ],
  RecordBodyResponse: [{ ok: true, body: { any: ['thing'] } }],
  ExecutionSummary: [summary, { ...summary, settledAt: 3, code: 'success' }],
  ExecutionSummariesQuery: [{}, { deviceId: 'd', state: 'settled', code: 'NODE_NOT_FOUND', limit: '5' }],
  ExecutionSummariesResponse: [{ ok: true, executions: [summary], count: 1, searched: 9, older: true }],
  TraceResponse: [
    {
      ok: true,
      trace: {
        kind: 'execution',
        id: 'e',
        actor: actor.id,
        machine: 'device',
        records: [record],
        executions: [
          { ...summary, timeline: [{ id: 's', type: 'click', title: 'Click', state: 'failed', data: { error: 'X' } }] },
        ],
        omitted: ['The trace holds the first 1000 records.'],
      },
    },
  ],
  DeviceScreenResponse: [
    { ok: true },
    { ok: true, snapshot: { executionId: 'e', step: 's', at: 1, xml: '<hierarchy rotation="0" />' } },
  ],
  ConfiguredAvd: [avd, unknownAvd],
  RunningEmulator: [running],
  AvdCreateRequest: [
    {},
    { name: 'a.b_c-1', apiLevel: 35, abi: 'x86_64', deviceProfile: 'pixel_7', playStore: false, storageSize: '16GB' },
    { size: '12g' },
  ],
  StartRequest: [{}, { wipe: true, window: false }],
  ProvisionRequest: [{}, { diskSize: '12G', abi: 'x86_64', wipe: false, window: true }],
  AvdsResponse: [{ ok: true, avds: [avd, unknownAvd] }],
  RunningEmulatorsResponse: [{ ok: true, devices: [running] }],
  AvdResponse: [
    { ok: true, ...avd },
    { ok: true, ...avd, note: 'n' },
  ],
  AvdStartResponse: [started],
  AvdStopResponse: [{ ok: true, avdName: 'a', stopped: true }],
  AvdDeleteResponse: [{ ok: true, avdName: 'a', deleted: true }],
  ProvisionResponse: [{ ...started, created: false, started: true, reused: true }],
  DaemonMetadata: [metadata, { ...metadata, startTime: 'boot+12', instanceId: 'x' }, { ...metadata, startTime: 12 }],
  DaemonLock: [{ pid: 1, startTime: 'boot+12', createdAt: 1 }, { pid: 1 }],
  DaemonReport: [runningReport, ...reports],
  DaemonResponse: [{ ok: true, daemon: runningReport }],
  OperatorRequest: [request],
  WireEnvelope: [
    wireEnvelope,
    { ...wireEnvelope, error: 'it broke', errorCode: null },
    { commandId: wireId, taskId: 't', nonce, status: 'success', stepResults: [{ ...stepResult, data: { n: 1 } }] },
  ],
  ResultChunk: [chunk],
  OperatorFrame: [
    { type: 'hello', protocol: 1, package: 'com.svc.operator', version: '1.0' },
    {
      type: 'hello',
      protocol: 1,
      package: 'com.svc.operator',
      version: '1.0',
      capabilities: ['progress', 'results', 'later'],
    },
    { type: 'result', envelope: wireEnvelope },
    { type: 'progress', commandId: wireId, nonce, step: 0, success: true },
    { type: 'running', commandId: wireId, step: 49 },
    { type: 'unknown', commandId: wireId },
  ],
  HostFrame: [
    { type: 'execute', payload: request },
    { type: 'result?', commandId: wireId, nonce },
  ],
} satisfies Partial<Record<SchemaName, unknown[]>>

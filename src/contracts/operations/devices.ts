/** Requests about devices. */
import { AppResponse, AppsQuery, AppsResponse } from '../device/apps.ts'
import { DeviceResponse, DevicesQuery, DevicesResponse } from '../device/device.ts'
import { FilesQuery, FilesResponse } from '../device/device-files.ts'
import {
  ForwardBody,
  ForwardResponse,
  ForwardsResponse,
  ReverseBody,
  ReverseResponse,
  ReversesResponse,
} from '../device/forwards.ts'
import { LogGap, LogLine, LogLinesQuery, LogLinesResponse, LogsQuery } from '../device/logs.ts'
import { NotificationsResponse } from '../device/notifications.ts'
import { FramesResponse, MemoryResponse } from '../device/perf.ts'
import { SettingsResponse } from '../device/settings.ts'
import { ErrorObject } from '../failures/error.ts'
import type { FailureCode } from '../failures/failures.ts'
import { ASKING } from './asking.ts'
import { LAST_EVENT_ID_HEADER, type OperationGroup } from './operation.ts'

/** The contract takes a failed listing out of its status table. */
const FAILED_LISTING = 500

const FORWARDING: readonly FailureCode[] = ['FORWARD_REFUSED', ...ASKING]
/** Refused as an execution is where another caller has reserved the device. */
const CHANGING: readonly FailureCode[] = [
  'EXECUTION_CONFLICT_IN_FLIGHT',
  'LEASE_NOT_FOUND',
  'LEASE_OF_OTHER_DEVICE',
  ...FORWARDING,
]
const ADDING: readonly FailureCode[] = ['INVALID_BODY', 'INVALID_JSON', ...CHANGING]
const ASKING_SHELL: readonly FailureCode[] = [...ASKING, 'DEVICE_SHELL_UNAVAILABLE', 'DEVICE_OUTPUT_TOO_LARGE']

export const devices = {
  'devices.list': {
    tag: 'Devices',
    summary: 'The devices as the debug bridge lists them, in every state.',
    query: DevicesQuery,
    answers: DevicesResponse,
    failures: ['ADB_NOT_FOUND', 'ADB_SERVER_FAILED', 'INTERNAL_ERROR'],
    failureStatus: FAILED_LISTING,
  },
  'devices.get': {
    tag: 'Devices',
    summary: 'A device in its own words: model, Android version, display, battery, and the application in front.',
    answers: DeviceResponse,
    failures: ASKING,
  },
  'apps.list': {
    tag: 'Devices',
    summary: 'The applications that the user of a device has, by name.',
    query: AppsQuery,
    answers: AppsResponse,
    failures: ['INVALID_QUERY', ...ASKING_SHELL],
  },
  'settings.get': {
    tag: 'Devices',
    summary: 'The settings of a device that svc can change: the present value of each, or null.',
    answers: SettingsResponse,
    failures: ASKING_SHELL,
  },
  'apps.get': {
    tag: 'Devices',
    summary: 'An application in the words of the device: version, state, and permissions.',
    answers: AppResponse,
    failures: ['APP_NOT_FOUND', ...ASKING_SHELL],
  },
  'logs.follow': {
    tag: 'Devices',
    summary: 'The log of a device as server-sent events: new lines, or those since a time, each once.',
    query: LogsQuery,
    headers: { [LAST_EVENT_ID_HEADER]: 'Goes on after that line.' },
    answers: { events: { 'svc:log': LogLine, 'svc:gap': LogGap, 'svc:error': ErrorObject } },
    failures: ['INVALID_QUERY', 'APP_NOT_FOUND', 'EXECUTION_CONFLICT_IN_FLIGHT', ...ASKING_SHELL],
  },
  'logs.read': {
    tag: 'Devices',
    summary: 'The last lines of the log of a device, or those after a position.',
    query: LogLinesQuery,
    answers: LogLinesResponse,
    failures: ['INVALID_QUERY', 'APP_NOT_FOUND', ...ASKING_SHELL],
  },
  'notifications.list': {
    tag: 'Devices',
    summary: 'The notifications that a device shows, the latest first.',
    answers: NotificationsResponse,
    failures: ASKING_SHELL,
  },
  'files.list': {
    tag: 'Devices',
    summary: 'The files and folders in a folder of a device, by name; or a single file.',
    query: FilesQuery,
    answers: FilesResponse,
    failures: ['INVALID_QUERY', 'FILE_NOT_FOUND', 'FILE_REFUSED', ...ASKING_SHELL],
  },
  'apps.frames': {
    tag: 'Devices',
    summary: 'The frames that an application has drawn since it was started, and how many of them came late.',
    answers: FramesResponse,
    failures: ['APP_NOT_FOUND', ...ASKING_SHELL],
  },
  'apps.memory': {
    tag: 'Devices',
    summary: 'The memory of an application that runs, in kB.',
    answers: MemoryResponse,
    failures: ['APP_NOT_FOUND', ...ASKING_SHELL],
  },
  'forwards.list': {
    tag: 'Devices',
    summary: 'The ports of the host that lead to a device.',
    answers: ForwardsResponse,
    failures: FORWARDING,
  },
  'forwards.add': {
    tag: 'Devices',
    summary:
      'Has a port of the host lead to a port or socket of a device. For this user only, over the socket of the daemon.',
    body: ForwardBody,
    answers: ForwardResponse,
    failures: ADDING,
  },
  'forwards.remove': {
    tag: 'Devices',
    summary: 'Ends a forward, named by its end at the host.',
    answers: ForwardResponse,
    failures: CHANGING,
  },
  'reverses.list': {
    tag: 'Devices',
    summary: 'The ports of a device that lead to the host.',
    answers: ReversesResponse,
    failures: FORWARDING,
  },
  'reverses.add': {
    tag: 'Devices',
    summary:
      'Has a port or socket of a device lead to a port of the host. For this user only, over the socket of the daemon.',
    body: ReverseBody,
    answers: ReverseResponse,
    failures: ADDING,
  },
  'reverses.remove': {
    tag: 'Devices',
    summary: 'Ends a reverse, named by its end at the device.',
    answers: ReverseResponse,
    failures: CHANGING,
  },
} as const satisfies OperationGroup

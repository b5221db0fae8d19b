/** Requests about AVDs and running emulators. */
import * as avd from '../device/avd.ts'
import type { FailureCode } from '../failures/failures.ts'
import type { OperationGroup } from './operation.ts'

const LOOK: readonly FailureCode[] = ['ANDROID_SDK_TOOL_MISSING', 'ADB_SERVER_FAILED', 'INTERNAL_ERROR']
const CHANGE: readonly FailureCode[] = [
  'INVALID_BODY',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'EMULATOR_BUSY',
  'JOURNAL_UNAVAILABLE',
  ...LOOK,
]
const CREATE: readonly FailureCode[] = ['ANDROID_SYSTEM_IMAGE_INSTALL_FAILED', 'ANDROID_AVD_CREATE_FAILED']

export const emulators = {
  'emulators.list': {
    tag: 'Emulators',
    summary: 'The configured AVDs, and which of them run.',
    answers: avd.AvdsResponse,
    failures: LOOK,
  },
  'emulators.running': {
    tag: 'Emulators',
    summary: 'The emulators that the debug bridge lists.',
    answers: avd.RunningEmulatorsResponse,
    failures: LOOK,
  },
  'emulators.get': {
    tag: 'Emulators',
    summary: 'One AVD; exists is false for an unknown one.',
    answers: avd.AvdResponse,
    failures: ['INVALID_BODY', ...LOOK],
  },
  'emulators.create': {
    tag: 'Emulators',
    summary: 'Makes an AVD; its system image is installed first if it is missing.',
    body: avd.AvdCreateRequest,
    isBodyOptional: true,
    answers: avd.AvdResponse,
    failures: ['EMULATOR_ALREADY_EXISTS', ...CREATE, ...CHANGE],
  },
  'emulators.start': {
    tag: 'Emulators',
    summary: 'Starts the emulator of an AVD and waits until it has booted.',
    body: avd.StartRequest,
    isBodyOptional: true,
    answers: avd.AvdStartResponse,
    failures: ['EMULATOR_NOT_FOUND', 'EMULATOR_ALREADY_RUNNING', 'EMULATOR_START_FAILED', ...CHANGE],
  },
  'emulators.stop': {
    tag: 'Emulators',
    summary: 'Ends the emulator of an AVD and waits until it is gone.',
    answers: avd.AvdStopResponse,
    failures: ['EMULATOR_NOT_FOUND', 'EMULATOR_NOT_RUNNING', 'EMULATOR_STOP_FAILED', ...CHANGE],
  },
  'emulators.delete': {
    tag: 'Emulators',
    summary: 'Deletes an AVD that does not run.',
    answers: avd.AvdDeleteResponse,
    failures: ['EMULATOR_NOT_FOUND', 'EMULATOR_ALREADY_RUNNING', 'ANDROID_AVD_DELETE_FAILED', ...CHANGE],
  },
  'emulators.provision': {
    tag: 'Emulators',
    summary: 'Brings up a supported emulator: one that runs, an AVD that exists, or a new one.',
    body: avd.ProvisionRequest,
    isBodyOptional: true,
    answers: avd.ProvisionResponse,
    failures: ['EMULATOR_UNSUPPORTED', 'EMULATOR_START_FAILED', ...CREATE, ...CHANGE],
  },
} as const satisfies OperationGroup

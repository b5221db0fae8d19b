/** Requests about devices. */
import { DeviceResponse, DevicesResponse } from '../device.ts'
import type { OperationGroup } from './operation.ts'

/** The contract takes a failed listing out of its status table. */
const FAILED_LISTING = 500

export const devices = {
  'devices.list': {
    tag: 'Devices',
    summary: 'The devices as the debug bridge lists them, in every state.',
    answers: DevicesResponse,
    failures: ['ADB_NOT_FOUND', 'ADB_SERVER_FAILED', 'INTERNAL_ERROR'],
    failureStatus: FAILED_LISTING,
  },
  'devices.get': {
    tag: 'Devices',
    summary: 'A device in its own words: model, Android version, display, battery, and the application in front.',
    answers: DeviceResponse,
    failures: [
      'ADB_NOT_FOUND',
      'ADB_SERVER_FAILED',
      'DEVICE_NOT_FOUND',
      'DEVICE_UNAUTHORIZED',
      'DEVICE_OFFLINE',
      'DEVICE_LINK_LOST',
      'FLEET_HOST_GONE',
      'FLEET_UNREACHABLE',
      'INTERNAL_ERROR',
    ],
  },
} as const satisfies OperationGroup

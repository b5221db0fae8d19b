/** Requests about devices. */
import { DevicesResponse } from '../device.ts'
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
} as const satisfies OperationGroup

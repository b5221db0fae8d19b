/** The failures of every request for which a device is asked something, wherever it is. */
import type { FailureCode } from '../failures/failures.ts'

export const ASKING: readonly FailureCode[] = [
  'ADB_NOT_FOUND',
  'ADB_SERVER_FAILED',
  'DEVICE_NOT_FOUND',
  'DEVICE_UNAUTHORIZED',
  'DEVICE_OFFLINE',
  'DEVICE_LINK_LOST',
  'FLEET_HOST_GONE',
  'FLEET_UNREACHABLE',
  'INTERNAL_ERROR',
]

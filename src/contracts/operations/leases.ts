/** Requests about reservations of phones. */
import type { FailureCode } from '../failures/failures.ts'
import { LeaseBody, LeaseExtension, LeaseResponse, LeasesResponse } from '../reservation.ts'
import { ASKING } from './asking.ts'
import type { OperationGroup } from './operation.ts'

const NAMED: readonly FailureCode[] = [
  'LEASE_NOT_FOUND',
  'EXECUTION_CONFLICT_IN_FLIGHT',
  'FLEET_HOST_GONE',
  'FLEET_UNREACHABLE',
  'JOURNAL_UNAVAILABLE',
  'INTERNAL_ERROR',
]

export const leases = {
  'leases.create': {
    tag: 'Reservations',
    summary:
      'Reserves a device: until the end of the reservation, only requests with its leaseId in Svc-Lease act on the device.',
    body: LeaseBody,
    answers: LeaseResponse,
    failures: [
      'INVALID_BODY',
      'INVALID_JSON',
      'INVALID_DEVICE_ID',
      'EXECUTION_CONFLICT_IN_FLIGHT',
      'DEVICE_SHELL_UNAVAILABLE',
      'JOURNAL_UNAVAILABLE',
      ...ASKING,
    ],
  },
  'leases.list': {
    tag: 'Reservations',
    summary: 'The reservations that are held now, the oldest first.',
    answers: LeasesResponse,
    failures: ['JOURNAL_UNAVAILABLE', 'INTERNAL_ERROR'],
  },
  'leases.extend': {
    tag: 'Reservations',
    summary: 'Sets the end of a reservation to so many milliseconds from now, which may also be sooner than before.',
    body: LeaseExtension,
    answers: LeaseResponse,
    failures: ['INVALID_BODY', 'INVALID_JSON', ...NAMED],
  },
  'leases.end': {
    tag: 'Reservations',
    summary: 'Gives the device back. An execution of the reservation that is in flight ends as it does.',
    answers: LeaseResponse,
    failures: NAMED,
  },
} as const satisfies OperationGroup

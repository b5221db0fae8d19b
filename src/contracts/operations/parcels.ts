/** Requests with which the hosts of a fleet bring files to each other. */
import { BroughtQuery } from '../doors/http.ts'
import { BroughtPiece, ParcelPiece, ParcelReceived } from '../parcel.ts'
import type { OperationGroup } from './operation.ts'

export const parcels = {
  'parcels.put': {
    tag: 'Fleet',
    summary:
      'Takes a piece of a file that an execution for a phone of this host will read; for the hosts of a fleet alone.',
    body: ParcelPiece,
    answers: ParcelReceived,
    failures: ['INVALID_BODY', 'NOT_FOUND', 'FILE_REFUSED'],
  },
  'parcels.get': {
    tag: 'Fleet',
    summary:
      'A piece of a file that an execution has pulled from a phone of this host; for the hosts of a fleet alone.',
    query: BroughtQuery,
    answers: BroughtPiece,
    failures: ['INVALID_QUERY', 'NOT_FOUND'],
  },
} as const satisfies OperationGroup

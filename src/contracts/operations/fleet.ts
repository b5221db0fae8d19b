/** Requests about the fleet that the asked host is in. */
import { FleetHostResponse, FleetStatusResponse } from '../fleet.ts'
import type { OperationGroup } from './operation.ts'

export const fleet = {
  'fleet.status': {
    tag: 'Fleet',
    summary:
      'The hosts of the fleet, their versions and devices, how far their mirrors are behind, and when they were heard.',
    answers: FleetStatusResponse,
    failures: ['NOT_FOUND'],
  },
  'fleet.drain': {
    tag: 'Fleet',
    summary: 'Has a host take nothing new, finish what runs and give its phones back.',
    answers: FleetHostResponse,
    failures: ['NOT_FOUND', 'FLEET_HOST_GONE', 'FLEET_UNREACHABLE'],
  },
  'fleet.forget': {
    tag: 'Fleet',
    summary: 'Forgets a host that is gone: it is listed no more.',
    answers: FleetHostResponse,
    failures: ['NOT_FOUND', 'FLEET_HOST_TAKEN', 'FLEET_UNREACHABLE'],
  },
} as const satisfies OperationGroup

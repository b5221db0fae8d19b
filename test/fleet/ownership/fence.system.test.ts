/** The last question before bytes leave for a phone: who may act on it, and what the others are told. */
import { expect, test } from 'vitest'
import { createFence } from '../../../src/fleet/ownership/fence.ts'
import type { Claim } from '../../../src/service/executions/fence.ts'
import { manualClock } from '../../support/manual-clock.ts'

interface Facts {
  state?: string
  epoch?: number
  isProven?: boolean
  /** Whether another host sees the same phone. */
  isShared?: boolean
}

const PHONE = 'device:HW1'

const refusal = ({ state, epoch = 7, isProven = true, isShared = false }: Facts, claim: Claim) =>
  createFence({
    host: 'lab1',
    phones: {
      of: () =>
        state === undefined ? undefined : { state, epoch, holder: state === 'elsewhere' ? 'lab2' : null, serial: 'S1' },
    },
    lease: { isProven: () => isProven },
    state: () => 'serving',
    isShared: () => isShared,
    clock: manualClock(),
    lookup: async () => undefined,
    askOwner: () => async () => ({ kind: 'unanswered', reason: 'nobody is there' }),
  }).refusal(PHONE, claim)?.code

test.each<[string, Facts, Claim, string | undefined]>([
  ['the owner, for a request under its epoch', { state: 'owned' }, { isSent: true, epoch: 7 }, undefined],
  ['the owner, for a request that names none', { state: 'owned' }, { isSent: true }, undefined],
  ['the owner, for a caller of its own', { state: 'owned' }, {}, undefined],
  ['the owner, for a request under an older epoch', { state: 'owned' }, { isSent: true, epoch: 6 }, 'FLEET_HOST_GONE'],
  ['the owner, for a request under a newer epoch', { state: 'owned' }, { isSent: true, epoch: 8 }, 'FLEET_HOST_GONE'],
  [
    'an owner whose lease lapsed, for a request',
    { state: 'owned', isProven: false },
    { isSent: true, epoch: 7 },
    'FLEET_HOST_GONE',
  ],
  ['an owner whose lease lapsed, for its own caller', { state: 'owned', isProven: false }, {}, undefined],
  [
    'the same, when another host sees the phone',
    { state: 'owned', isProven: false, isShared: true },
    {},
    'FLEET_UNREACHABLE',
  ],
  [
    'the same, when the phone is reached over a network',
    { state: 'owned', isProven: false },
    { serial: '10.0.0.7:5555' },
    'FLEET_UNREACHABLE',
  ],
  [
    'the same, when the phone announces itself there',
    { state: 'doubtful' },
    { serial: 'adb-A1-x7Yq2P._adb-tls-connect._tcp' },
    'FLEET_UNREACHABLE',
  ],
  ['the same, behind a port of this machine', { state: 'doubtful' }, { serial: '127.0.0.1:5555' }, undefined],
  ['the owner again, for its own caller of an older epoch', { state: 'owned' }, { epoch: 6 }, undefined],
  ['the same, when another host sees the phone', { state: 'owned', isShared: true }, { epoch: 6 }, 'FLEET_HOST_GONE'],
  ['one that is in doubt, for a request', { state: 'doubtful' }, { isSent: true }, 'FLEET_HOST_GONE'],
  ['one that still claims it, for its own caller', { state: 'claiming' }, {}, undefined],
  ['one that still claims it, when another sees it', { state: 'claiming', isShared: true }, {}, 'FLEET_UNREACHABLE'],
  ['a host whose phone is owned by another, for its own caller', { state: 'elsewhere' }, {}, 'FLEET_HOST_GONE'],
  ['a host that knows nothing of the phone, for a request', {}, { isSent: true, epoch: 7 }, 'FLEET_HOST_GONE'],
  ['a host that knows nothing of the phone, for its own caller', {}, {}, undefined],
])('%s', (_name, facts, claim, expected) => expect(refusal(facts, claim)).toBe(expected))

/** Every machine whose actors are recorded, with what the runtime must know to record, recover and read it back. */

import { SHARED_EVENTS } from '../src/contracts/events/device.ts'
import { daemon } from './daemon/daemon.ts'
import type { Definition } from './definition.ts'
import { device } from './device/device.ts'
import { interruptedDevice, outcomeOf, receiptOf } from './device/device-answers.ts'
import { learnedIn } from './device/device-doubts.ts'
import { emulator } from './emulator/emulator.ts'
import { flowRun } from './flow-run/flow-run.ts'
import { membership } from './membership/membership.ts'
import { ownership } from './ownership.ts'
import { provision } from './provision.ts'
import { recordingMachine } from './recording/recording.ts'
import { RESERVATION } from './reservation/reservation-definition.ts'
import { session } from './session/session.ts'
import { SKILL_RUN } from './skill-run/skill-run-definition.ts'
import { testRun } from './test-run/test-run.ts'

const interruptedAs =
  (type: string): Definition['interrupted'] =>
  (_snapshot, at) => ({ type, at })

/** Version 1 of the daemon's events recorded what was to be done about a probe, and not what the probe found. */
const FOUND: Readonly<Record<string, string>> = { managed: 'managed', silent: 'absent', foreign: 'foreign' }

const probeAsFound: Definition['upcast'][number] = event => {
  if (event.type !== 'probe.answered') return event
  const { finding, ...rest } = event
  return { ...rest, found: FOUND[String(finding)] ?? 'absent' }
}

/** Version 1 of a provisioning request did not record whether an ABI was named. */
const withoutNamedAbi: Definition['upcast'][number] = event =>
  event.type === 'provision.requested' ? { abi: null, ...event } : event

/** Version 1 of an attempt recorded the scripts of commands and headers alike, and none of labels. */
const scriptOfCommand: Definition['upcast'][number] = event =>
  event.type === 'script.answered' ? { scriptOf: 'command', ...event } : event

export const CATALOGUE = {
  device: {
    logic: device,
    // Version 1 had no queue, version 2 no reservations in it, and version 3 no evidence; their events are the same.
    version: 4,
    interrupted: interruptedDevice,
    receipt: receiptOf,
    outcome: outcomeOf,
    learned: learnedIn,
    shared: SHARED_EVENTS,
    upcast: {},
  },
  daemon: {
    logic: daemon,
    version: 2,
    interrupted: interruptedAs('request.interrupted'),
    upcast: { 1: probeAsFound },
  },
  emulator: {
    logic: emulator,
    version: 1,
    interrupted: interruptedAs('request.interrupted'),
    upcast: {},
  },
  provision: {
    logic: provision,
    version: 2,
    interrupted: interruptedAs('request.interrupted'),
    upcast: { 1: withoutNamedAbi },
  },
  recording: {
    logic: recordingMachine,
    version: 1,
    interrupted: interruptedAs('request.interrupted'),
    upcast: {},
  },
  reservation: RESERVATION,
  'flow-run': {
    logic: flowRun,
    version: 2,
    interrupted: interruptedAs('flow.interrupted'),
    upcast: { 1: scriptOfCommand },
  },
  'test-run': {
    logic: testRun,
    version: 1,
    interrupted: interruptedAs('run.interrupted'),
    upcast: {},
  },
  membership: {
    logic: membership,
    version: 1,
    interrupted: interruptedAs('request.interrupted'),
    upcast: {},
  },
  ownership: {
    logic: ownership,
    version: 1,
    interrupted: interruptedAs('request.interrupted'),
    upcast: {},
  },
  session: {
    logic: session,
    version: 1,
    interrupted: interruptedAs('session.interrupted'),
    upcast: {},
  },
  'skill-run': SKILL_RUN,
} as const satisfies Record<string, Definition>

export type MachineName = keyof typeof CATALOGUE

/** The journal vocabulary of one AVD and of a provisioning request. */
import * as v from 'valibot'
import { DeadlinePassed, event, PortFailed, text, time } from './event.ts'

export const EmulatorEvent = v.variant('type', [
  /** What the SDK tools and the debug bridge say about the AVD right now. */
  event('avd.observed', { finding: v.picklist(['absent', 'stopped', 'running']), serial: v.nullable(text) }),
  event('create.requested', { requestId: text }),
  event('start.requested', { requestId: text, registerBy: time, bootBy: time }),
  event('stop.requested', { requestId: text, goneBy: time }),
  event('delete.requested', { requestId: text }),
  event('avd.created', {}),
  event('avd.deleted', {}),
  event('process.spawned', { pid: time, started: text }),
  event('process.died', { message: text }),
  event('emulator.registered', { serial: text }),
  event('boot.completed', {}),
  event('settings.enabled', {}),
  event('emulator.gone', {}),
  /** A tool failed: code and message as they are answered. */
  event('tool.failed', { code: text, message: text }),
  event('request.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type EmulatorEvent = v.InferOutput<typeof EmulatorEvent>

export const ProvisionEvent = v.variant('type', [
  event('provision.requested', {
    requestId: text,
    /** A supported emulator that runs already, by preference. */
    running: v.nullable(v.strictObject({ avdName: text, serial: text })),
    /** A supported AVD that could be started, by preference. */
    startable: v.nullable(text),
    /** The name a new AVD would get, and whether an unsupported one has it. */
    derivedName: text,
    derivedNameTaken: v.boolean(),
  }),
  event('avd.created', { avdName: text }),
  event('emulator.started', { avdName: text, serial: text }),
  event('tool.failed', { code: text, message: text }),
  event('request.interrupted', {}),
  PortFailed,
])
export type ProvisionEvent = v.InferOutput<typeof ProvisionEvent>

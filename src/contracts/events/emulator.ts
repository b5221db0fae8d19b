/** The journal vocabulary of one AVD and of a provisioning request. */
import * as v from 'valibot'
import { DeadlinePassed, event, PortFailed, text, time } from './event.ts'

/** How long each phase may take; fixed with the request, so that a replay knows the same deadlines. */
export const EmulatorLimits = v.strictObject({
  installMs: time,
  createMs: time,
  registerMs: time,
  bootMs: time,
  prepareMs: time,
  goneMs: time,
})
export type EmulatorLimits = v.InferOutput<typeof EmulatorLimits>

export const AvdSpec = v.strictObject({
  image: text,
  deviceProfile: text,
  storageGb: time,
})
export type AvdSpec = v.InferOutput<typeof AvdSpec>

export const StartOptions = v.strictObject({
  /** Erases the user data first. */
  wipe: v.boolean(),
  /** When false, the emulator runs headless. */
  window: v.boolean(),
})
export type StartOptions = v.InferOutput<typeof StartOptions>

export const EmulatorProcess = v.strictObject({ pid: time, started: text, log: text })
export type EmulatorProcess = v.InferOutput<typeof EmulatorProcess>

/** A failure as it is answered; `details` is JSON. */
const failed = { code: text, message: text, details: v.unknown() }

export const EmulatorEvent = v.variant('type', [
  event('create.requested', { requestId: text, spec: AvdSpec, limits: EmulatorLimits }),
  event('start.requested', { requestId: text, options: StartOptions, limits: EmulatorLimits }),
  event('stop.requested', { requestId: text, limits: EmulatorLimits }),
  event('delete.requested', { requestId: text, limits: EmulatorLimits }),
  /** A later process found a change that its host did not live to finish; `resume` goes on waiting for a started emulator. */
  event('repair.requested', { requestId: text, resume: v.boolean(), limits: EmulatorLimits }),
  /** The AVD home and the debug bridge tell the present state of the AVD. */
  event('avd.observed', { finding: v.picklist(['absent', 'stopped', 'running']), serial: v.nullable(text) }),
  /** A tool of the SDK runs for this request; whoever repairs it later ends that process. */
  event('tool.spawned', { tool: text, pid: time, started: text }),
  /** `percent` where the tool prints one. */
  event('image.progressed', { percent: v.nullable(time), step: text }),
  event('image.installed', {}),
  /** Said before avdmanager runs: what there is of the AVD from then on is that of this request. */
  event('avd.making', {}),
  event('avd.created', {}),
  /** One of this name appeared while it was being made. */
  event('avd.taken', {}),
  event('avd.undone', {}),
  event('avd.deleted', {}),
  event('process.spawned', { pid: time, started: text, log: text }),
  event('process.died', { message: text, details: v.unknown() }),
  /** A process whose start failed was ended; `details` has the end of its log. */
  event('process.ended', { details: v.unknown() }),
  event('emulator.registered', { serial: text }),
  event('boot.completed', {}),
  event('settings.enabled', {}),
  event('emulator.gone', {}),
  /** The leftovers of a dead host were looked at, and cleaned up where half done. */
  event('leftovers.repaired', {
    /** The emulator that the dead host had started, if it lives. */
    process: v.nullable(EmulatorProcess),
    done: text,
  }),
  event('tool.failed', failed),
  event('request.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type EmulatorEvent = v.InferOutput<typeof EmulatorEvent>

const Running = v.strictObject({ avdName: text, serial: text, booted: v.boolean() })

export const ProvisionEvent = v.variant('type', [
  event('provision.requested', {
    requestId: text,
    derivedName: text,
    /** The ABI that the caller named. */
    abi: v.nullable(text),
    spec: AvdSpec,
    options: StartOptions,
    limits: EmulatorLimits,
  }),
  event('emulators.looked-up', {
    /** A supported emulator that runs already, by preference. */
    running: v.nullable(Running),
    /** A supported AVD that could be started, by preference. */
    startable: v.nullable(text),
    /** Why the AVD that has the derived name is unsupported, if it is. */
    derivedNameTaken: v.boolean(),
    details: v.unknown(),
  }),
  event('avd.created', { avdName: text }),
  /** `joined`: another request had started it. */
  event('emulator.started', { avdName: text, serial: text, joined: v.boolean() }),
  event('emulator.booted', { avdName: text, serial: text }),
  /** Another request made or started it meanwhile: what there is has to be looked up again. */
  event('emulators.changed', {}),
  event('tool.failed', failed),
  event('request.interrupted', {}),
  PortFailed,
])
export type ProvisionEvent = v.InferOutput<typeof ProvisionEvent>

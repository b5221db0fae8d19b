/** Section Endpoints, /android: what the emulator routes and commands offer, over the actors of AVDs and of provisioning requests. */
import type { ProvisionEmitted } from '../../../machines/provision.ts'
import {
  type AvdCreateRequest,
  type ConfiguredAvd,
  DEFAULT_DEVICE_PROFILE,
  DEFAULT_STORAGE_SIZE,
  type ProvisionRequest,
  type RunningEmulator,
  STORAGE_KEYS,
  type StartRequest,
} from '../../contracts/device/avd.ts'
import type { AvdSpec, StartOptions } from '../../contracts/events/emulator.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { EMULATOR_API_LEVEL } from '../../contracts/limits/emulator-limits.ts'
import {
  actorOf,
  askEmulator,
  type Change,
  interruptedChangeOf,
  isStart,
  longestMs,
  nameOf,
  unanswered,
} from './ask-emulator.ts'
import { derivedName, gigabytesOf, imageOf } from './avd-files.ts'
import { asError, type EmulatorFailure, toolsMissing } from './failure.ts'
import { abiNote, defaultAbi, hostAbis } from './host-abis.ts'
import { absentAvd, avdOf, configuredAvds, runningEmulators } from './list.ts'
import { type EmulatorServiceDeps, missingTools, type SdkTool } from './sdk.ts'

export type Answered<T> = { ok: true; value: T } | { ok: false; error: ErrorObject }

interface StartedEmulator {
  type: 'emulator'
  avdName: string
  serial: string
  booted: boolean
}

/** `note` says that a default was replaced, or why a list is empty. */
type Noted<T> = T & { note?: string }

interface Provisioned extends StartedEmulator {
  created: boolean
  started: boolean
  reused: boolean
}

const storageOf = (request: object): number => {
  const size = STORAGE_KEYS.map(key => (request as Partial<Record<string, string>>)[key]).find(
    value => value !== undefined,
  )
  return gigabytesOf(size ?? DEFAULT_STORAGE_SIZE)
}

/** A host without the tools of the SDK has no emulators; other failures leave that unknown. */
const whyNone = (failure: EmulatorFailure): string | undefined => {
  const { code, message, hint } = asError(failure)
  return code === 'ANDROID_SDK_TOOL_MISSING' ? `No emulators are known: ${message} ${hint ?? ''}`.trim() : undefined
}

const optionsOf = ({ wipe = false, window = true }: StartRequest): StartOptions => ({ wipe, window })

export const createEmulators = (deps: EmulatorServiceDeps) => {
  const { host, journal, clock, ids, limits } = deps

  const refused = (failed: Parameters<typeof asError>[0], avdName?: string): { ok: false; error: ErrorObject } => ({
    ok: false,
    error: asError(failed, avdName),
  })

  /** Asked for before the AVD is looked for: without them nobody can tell whether it is there. */
  const toolsFor = ({ ask }: Change): readonly SdkTool[] => {
    if (ask === 'repair') return []
    return ask === 'create' ? ['sdkmanager', 'avdmanager'] : ['emulator', 'adb']
  }

  const change = async (request: Change) => {
    const missing = missingTools(toolsFor(request), deps.env)
    if (missing.length > 0) return refused(toolsMissing(missing), request.avdName)
    const changed = await askEmulator(request, deps)
    return changed.ok ? changed : refused(changed.failure, request.avdName)
  }

  const get = async (name: string, signal?: AbortSignal): Promise<Answered<ConfiguredAvd>> => {
    const listed = await configuredAvds(deps, signal)
    if (!listed.ok) return refused(listed.failure)
    return { ok: true, value: listed.avds.find(avd => avd.name === name) ?? absentAvd(name) }
  }

  return {
    async list(signal?: AbortSignal): Promise<Answered<Noted<{ avds: ConfiguredAvd[] }>>> {
      const listed = await configuredAvds(deps, signal)
      if (listed.ok) return { ok: true, value: { avds: listed.avds } }
      const note = whyNone(listed.failure)
      return note === undefined ? refused(listed.failure) : { ok: true, value: { avds: [], note } }
    },
    async running(signal?: AbortSignal): Promise<Answered<Noted<{ devices: RunningEmulator[] }>>> {
      const listed = await runningEmulators(deps, signal)
      if (listed.ok) return { ok: true, value: { devices: listed.devices } }
      const note = whyNone(listed.failure)
      return note === undefined ? refused(listed.failure) : { ok: true, value: { devices: [], note } }
    },
    get,
    async create(request: AvdCreateRequest, onName?: (name: string) => void): Promise<Answered<Noted<ConfiguredAvd>>> {
      const { apiLevel, playStore, deviceProfile } = request
      const abis = hostAbis(deps)
      const abi = request.abi ?? defaultAbi(abis)
      const storageGb = storageOf(request)
      const avdName = request.name ?? derivedName(storageGb)
      onName?.(avdName)
      const spec: AvdSpec = { image: imageOf({ apiLevel, abi, playStore }), deviceProfile, storageGb }
      const changed = await change({ avdName, ask: 'create', event: { spec } })
      const note = request.abi === undefined ? abiNote(abis) : {}
      return changed.ok ? { ok: true, value: { ...avdOf(avdName, [], deps), ...note } } : changed
    },
    async start(avdName: string, request: StartRequest): Promise<Answered<StartedEmulator>> {
      const changed = await change({ avdName, ask: 'start', event: { options: optionsOf(request) } })
      if (!changed.ok) return changed
      return { ok: true, value: { type: 'emulator', avdName, serial: changed.serial ?? '', booted: true } }
    },
    async stop(avdName: string): Promise<Answered<{ avdName: string; stopped: true }>> {
      const changed = await change({ avdName, ask: 'stop', event: {} })
      return changed.ok ? { ok: true, value: { avdName, stopped: true } } : changed
    },
    async delete(avdName: string): Promise<Answered<{ avdName: string; deleted: true }>> {
      const changed = await change({ avdName, ask: 'delete', event: {} })
      return changed.ok ? { ok: true, value: { avdName, deleted: true } } : changed
    },
    async provision(
      request: ProvisionRequest,
      onRequest?: (requestId: string) => void,
    ): Promise<Answered<Noted<Provisioned>>> {
      const storageGb = storageOf(request)
      const requestId = ids.at(clock.now())
      const abis = hostAbis(deps)
      const abi = request.abi ?? defaultAbi(abis)
      const image = imageOf({ apiLevel: EMULATOR_API_LEVEL, abi, playStore: true })
      onRequest?.(requestId)
      const outcome = await host.ask<ProvisionEmitted>(
        { id: `provision:${requestId}`, machine: 'provision', input: { requestId }, note: { requestId } },
        {
          type: 'provision.requested',
          requestId,
          derivedName: derivedName(storageGb),
          abi: request.abi ?? null,
          spec: { image, deviceProfile: DEFAULT_DEVICE_PROFILE, storageGb },
          options: optionsOf(request),
          limits,
        },
        // Others may be waited for before anything is made or started here.
        { matches: () => true, until: clock.now() + 3 * longestMs(deps) },
      )
      if (outcome.kind !== 'answered')
        return refused(unanswered(outcome.kind, 'error' in outcome ? outcome.error : undefined))
      if (outcome.emitted.type === 'provision.refused') return refused(outcome.emitted)
      const { avdName, serial, created, started, reused } = outcome.emitted
      const note = created && request.abi === undefined ? abiNote(abis) : {}
      return { ok: true, value: { type: 'emulator', avdName, serial, booted: true, created, started, reused, ...note } }
    },
    /** Cleans up what dead processes left half done, and says what it found. `resume` waits for emulators that still boot; `except` is left to the request that is to follow. */
    async repair({ resume, except }: { resume: boolean; except?: string | undefined }): Promise<string[]> {
      const left = journal
        .actors({ machine: 'emulator' })
        .filter(({ to, actor }) => to === 'resting.unclear' && actor !== actorOf(except ?? ''))
        .map(({ actor }) => nameOf(actor))
        .filter(avdName => interruptedChangeOf(avdName, deps) !== null)
        // The emulator of a start needs no cleaning up: the next request for it goes on with it.
        .filter(avdName => resume || !isStart(avdName, deps))
      const lines = await Promise.all(
        left.map(async avdName => {
          const changed = await askEmulator({ avdName, ask: 'repair', event: { resume } }, deps)
          const outcome = changed.ok ? changed.done : changed.failure.message
          return outcome === null
            ? []
            : [`AVD ${avdName}: ${outcome}${changed.ok && changed.adopted ? '; it has come up' : ''}`]
        }),
      )
      return lines.flat()
    },
  }
}

export type Emulators = ReturnType<typeof createEmulators>

/** The request for a run, its gates, and the world in which its child lives. */
import type { ClaimedCaller, FoundDevice } from '../../policy/gates.ts'
import type { Refusal } from '../refusal.ts'
import type { ChildSystem } from './child-system.ts'

export interface LiveOutput {
  stream: 'stdout' | 'stderr'
  text: string
}

export interface SkillRunRequest {
  skillId: string
  /** Blank counts as not given. */
  deviceId?: string | undefined
  /** Left out when nobody named one: then the device that is looked at decides. */
  operatorPackage?: string | undefined
  /** The caller's own arguments; the device is put before them here. */
  args: readonly string[]
  timeoutMs?: number | undefined
  /** From when on the timeout counts, by `clock.elapsed()`; now unless given. */
  askedAt?: number | undefined
  expectContains?: string | undefined
  skipValidate?: boolean | undefined
  /** By which way it was asked for: `cli` unless told. */
  caller?: ClaimedCaller['caller'] | undefined
  /** The run whose script asks for this one. */
  askedBy?: string | undefined
  /** The reservation that the run and what its script does belong to. */
  leaseId?: string | undefined
  /** The rules of the policy to which a person has said yes. */
  confirmed?: readonly string[] | undefined
  /** Hears under which id the run and the executions it causes are filed, before anything is done. */
  onRun?: ((runId: string) => void) | undefined
  /** Hears what the child prints, as it prints it; the terminal frame is held back. */
  onOutput?: ((output: LiveOutput) => void) | undefined
  /** Aborted to cancel the run; the reason is the name of the signal that reached the caller, such as `SIGINT`. */
  cancel?: AbortSignal | undefined
}

export type GatePassed = { ok: true } | Refusal

/** With the operator that suits the device best, if one was looked at. */
interface DevicePassed {
  ok: true
  operatorPackage?: string
}

/** Does a piece of work while this process owns the key; false when another owner has it. */
export type WhileOwned = (ownershipKey: string, work: () => Promise<void>) => Promise<boolean>

export interface DeviceGateOptions {
  /** The operator that was named: then none is chosen. */
  operatorPackage?: string | undefined
  /** Asked once the device is found, and before anything is done on it. */
  permit?: (found: FoundDevice) => Promise<Refusal | undefined>
}

/** Checks that the device of a run is there and ready. Without a name it looks only when exactly one is connected. */
export type DeviceGate = (
  deviceId: string | undefined,
  signal: AbortSignal,
  whileOwned: WhileOwned,
  ask?: DeviceGateOptions,
) => Promise<DevicePassed | Refusal>

/** In which world the child lives. */
export interface ChildWorld {
  /** The caller's environment; the child inherits it. */
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** The Node executable for `.js` scripts. */
  node: string
  /** The target of SVC_BIN: a program, or a script for Node. */
  program: string
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** Folders in which the folder of a run may be made. */
  runFolders: readonly string[]
  system: ChildSystem
}

/** The request for a run, the services that it uses, and the facts about it that the journal does not hold. */
import type { ErrorObject } from '../../contracts/error.ts'
import type { SkillResult } from '../../contracts/skill-result.ts'
import type { ClaimedCaller, FoundDevice, SkillPolicy } from '../../policy/skill-gate.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { FindMarked } from '../../runtime/process-list.ts'
import type { Refusal } from '../refusal.ts'
import type { Loaded } from '../registry/load.ts'
import type { ChildPlan } from './child-plan.ts'
import type { StartedProcesses } from './child-processes.ts'
import type { RunOutput } from './output.ts'
import type { OpenPty } from './pty.ts'
import type { RunFolder } from './run-folder.ts'
import type { ChildExit } from './start-child.ts'

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
export type WhileOwned = (leaseKey: string, work: () => Promise<void>) => Promise<boolean>

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
  own: WhileOwned,
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
  openPty: OpenPty
  /** Tells a process from a later one with the same pid; undefined when the system does not say. */
  startOf: (pid: number) => string | undefined
  /** Instead of looking through /proc. */
  findMarked?: FindMarked | undefined
}

export interface SkillRunDeps {
  host: Pick<Host, 'ask' | 'tell' | 'whileOwned'>
  /** The same map that the ports of the host were given. */
  runs: LiveRuns
  clock: Clock
  ids: Ids
  /** The validation that precedes a run, payloads included. */
  validate: (skillId: string, signal: AbortSignal) => Promise<GatePassed>
  checkDevice: DeviceGate
  policy: SkillPolicy
  loadRegistry: () => Loaded
  world: ChildWorld
}

export interface LiveRun {
  request: SkillRunRequest
  deps: SkillRunDeps
  /** The effective one. */
  timeoutMs: number
  /** From here on nothing is started, and what was started is ended; by `clock.elapsed()`. */
  endsAt: number
  /** The caller has its answer, or is about to get it: nothing is started any more. */
  isOver: boolean
  /** Set once a process was started. */
  started?: StartedProcesses
  /** Pids of what was told to end and is there all the same, once the run is over. */
  survivors: readonly number[]
  /** The gate that said no. */
  refusal?: ErrorObject
  plan?: ChildPlan
  /** From before its child is started until the run is over. */
  folder?: RunFolder
  output?: RunOutput
  exit?: ChildExit
  skillResult: SkillResult | null
  /** Why the judgement is what it is, where the code alone does not say: the fault of the frame, what is not proved. */
  reason?: string
  /** The signal by which the caller cancelled. */
  cancelledBy?: string
}

/** By run id. One map is shared by those who ask for runs and by the ports that perform them. */
export type LiveRuns = Map<string, LiveRun>

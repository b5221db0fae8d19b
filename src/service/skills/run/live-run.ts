/** A run in this process: the services that it uses, and the facts about it that the journal does not hold. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { SkillResult } from '../../../contracts/skills/skill-result.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import type { SkillPolicy } from '../../policy/gates.ts'
import type { Loaded } from '../registry/load.ts'
import type { ChildPlan } from './child-plan.ts'
import type { StartedProcesses } from './child-processes.ts'
import type { RunOutput } from './output.ts'
import type { ChildWorld, DeviceGate, GatePassed, SkillRunRequest } from './request.ts'
import type { RunFolder } from './run-folder.ts'
import type { ChildExit } from './start-child.ts'

export interface SkillRunDeps {
  host: Pick<Host, 'ask' | 'endForOwner' | 'follow' | 'tell' | 'whileOwned'>
  journal: Pick<Journal, 'leases'>
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
  /** Settles once the child is there, or known not to come. */
  starting?: Promise<unknown>
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

/** Holds the facts about a run beyond the journal: the request, the plan, the output. Dropped once it is answered. */
import type { ErrorObject } from '../../contracts/error.ts'
import type { SkillResult } from '../../contracts/skill-result.ts'
import type { ChildExit } from './child.ts'
import type { ChildPlan } from './child-plan.ts'
import type { RunOutput } from './output.ts'
import type { SkillRunDeps, SkillRunRequest } from './request.ts'
import type { RunFolder } from './run-folder.ts'
import type { StartedProcesses } from './started-processes.ts'

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

/** What this process knows of a run beyond the journal: the request, the plan, the output. Gone once it is answered. */
import type { ErrorObject } from '../../contracts/error.ts'
import type { SkillResult } from '../../contracts/skill-result.ts'
import type { ChildExit } from './child.ts'
import type { ChildPlan } from './child-plan.ts'
import type { RunOutput } from './output.ts'
import type { SkillRunDeps, SkillRunRequest } from './request.ts'

export interface LiveRun {
  request: SkillRunRequest
  deps: SkillRunDeps
  /** The gate that said no. */
  refusal?: ErrorObject
  plan?: ChildPlan
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

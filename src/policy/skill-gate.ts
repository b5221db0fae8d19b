/** Whether the policy lets a skill be run. What the skill then does is judged execution by execution. */
import type { ErrorObject } from '../contracts/error.ts'
import { type Caller, SKILL_RUN_ACTION } from '../contracts/policy.ts'
import { denial } from './denial.ts'
import { judge } from './judge.ts'
import type { LoadPolicy } from './load.ts'
import { brokenDenial, type Refuse } from './refuse.ts'

export interface AskedSkill {
  skill: string
  runId: string
  caller: Caller
  device?: string | undefined
  operator?: string | undefined
  /** The rules to which a person has said yes. */
  confirmed?: readonly string[] | undefined
}

/** The refusal, if there is one. */
export type SkillPolicy = (asked: AskedSkill) => Promise<ErrorObject | undefined>

export const createSkillPolicy =
  (load: LoadPolicy, refuse: Refuse): SkillPolicy =>
  async ({ skill, runId, caller, device, operator, confirmed }) => {
    const loaded = load()
    if (loaded.kind === 'none') return undefined
    const work = { skillRunId: runId }
    if (loaded.kind === 'broken') return refuse(brokenDenial(loaded, caller), work)
    const devices = device === undefined ? [] : [device]
    const facts = { action: SKILL_RUN_ACTION, caller, devices, skill, operator }
    const verdict = judge(loaded.policy, facts, confirmed)
    return verdict.effect === 'allow' ? undefined : refuse(denial(verdict, facts), work)
  }

/** Decides if a skill may be run. The policy judges each execution of the skill later. */
import type { ErrorObject } from '../contracts/error.ts'
import { SKILL_RUN_ACTION } from '../contracts/policy.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { type ClaimedCaller, callerOf } from './caller.ts'
import { denial } from './denial.ts'
import type { NamesOf } from './device-names.ts'
import { dependsOnDevice, judge, judgeAnyDevice } from './judge.ts'
import type { LoadPolicy } from './load.ts'
import { brokenDenial, type Refuse } from './refuse.ts'

export interface AskedSkill extends ClaimedCaller {
  skill: string
  runId: string
  /** The rules to which a person has said yes. */
  confirmed?: readonly string[] | undefined
  /** Left out while the device is still to be found; none for a run without a device. */
  found?: FoundDevice | undefined
}

export interface FoundDevice {
  /** Asks the device, so only where a rule may want it. Rejects with a LinkError. */
  serials(): Promise<readonly string[]>
  operator?: string | undefined
}

/** The refusal, if there is one. Before the device is found, only what is denied on every device is. */
export type SkillPolicy = (asked: AskedSkill) => Promise<ErrorObject | undefined>

export interface SkillPolicyOptions {
  load: LoadPolicy
  refuse: Refuse
  namesOf: NamesOf
  journal: Pick<Journal, 'last' | 'records'>
}

export const createSkillPolicy =
  ({ load, refuse, namesOf, journal }: SkillPolicyOptions): SkillPolicy =>
  async ({ skill, runId, confirmed, found, ...claimed }) => {
    const loaded = load()
    if (loaded.kind === 'none') return undefined
    const work = { skillRunId: runId }
    const { caller } = callerOf(journal, claimed)
    if (loaded.kind === 'broken') return refuse(brokenDenial(loaded, caller), work)
    const { policy } = loaded
    const known = { action: SKILL_RUN_ACTION, caller, skill, devices: [], operator: found?.operator }
    const isOfDevice = dependsOnDevice(policy, known)
    const facts = found && isOfDevice ? { ...known, devices: namesOf(await found.serials()) } : known
    const verdict = isOfDevice && !found ? judgeAnyDevice(policy, facts) : judge(policy, facts, confirmed)
    return verdict.effect === 'allow' ? undefined : refuse(denial(verdict, facts), work)
  }

/** Decides if the screen of a device may be recorded. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { RECORD_SCREEN_ACTION } from '../../contracts/policy.ts'
import { evaluateForUnknownApp, OBSERVATION } from './evaluate-policy.ts'
import { brokenDenial, denialOf } from './refuse.ts'
import { type ClaimedCaller, callerOf, type SkillPolicyParts } from './skill-gate.ts'

export interface RecordingToStart extends ClaimedCaller {
  /** The rules to which a person has said yes. */
  confirmed?: readonly string[] | undefined
  /** Asks the device, so only where there is a policy. Rejects with a LinkError. */
  serials(): Promise<readonly string[]>
}

/** The refusal, if there is one. */
export type RecordingPolicy = (recording: RecordingToStart) => Promise<ErrorObject | undefined>

/** A video shows all that a snapshot and a screenshot show. */
const CONTAINS = [OBSERVATION.action, ...OBSERVATION.contains, 'take_screenshot']

/** Whichever application comes to the front is recorded, so a rule that forbids one forbids the recording. */
export const createRecordingPolicy =
  ({ load, refuse, namesOf, journal }: SkillPolicyParts): RecordingPolicy =>
  async ({ confirmed, serials, ...claimed }) => {
    const loaded = load()
    if (loaded.kind === 'none') return undefined
    const { caller, skill } = callerOf(journal, claimed)
    const work = { skillRunId: claimed.skillRunId }
    if (loaded.kind === 'broken') return refuse(brokenDenial(loaded, caller), work)
    const facts = {
      action: RECORD_SCREEN_ACTION,
      contains: CONTAINS,
      caller,
      skill,
      devices: namesOf(await serials()),
    }
    const verdict = evaluateForUnknownApp(loaded.policy, facts, confirmed)
    return verdict.effect === 'allow' ? undefined : refuse(denialOf(verdict, facts), work)
  }

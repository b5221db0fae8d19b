/**
 * Decides if a skill may be run, the screen of a device recorded, and this machine reached by scripts of flows. The
 * policy judges each execution of a skill later.
 */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type Caller, FLOW_HTTP_ACTION, RECORD_SCREEN_ACTION, SKILL_RUN_ACTION } from '../../contracts/policy.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import {
  dependsOnDevice,
  evaluateForAnyDevice,
  evaluateForUnknownApp,
  evaluatePolicy,
  OBSERVATION,
} from './evaluate-policy.ts'
import type { LoadedPolicy, LoadPolicy } from './load.ts'
import type { DeviceNames } from './policies.ts'
import { brokenDenial, denialOf, type Refuse } from './refuse.ts'

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

/** A rule must name it, as a rule must name `shell`; phones and applications do not narrow it, for a script runs beside them. */
export const allowsFlowHttp = (loaded: LoadedPolicy): boolean => {
  if (loaded.kind !== 'policy') return false
  const { policy } = loaded
  const isNamed = policy.rules.some(
    ({ effect, actions, callers }) =>
      effect === 'allow' && actions?.includes(FLOW_HTTP_ACTION) && (callers?.includes('flow') ?? true),
  )
  const facts = { action: FLOW_HTTP_ACTION, caller: 'flow' as const, devices: [] }
  return isNamed && evaluateForAnyDevice(policy, facts).effect === 'allow'
}

interface PolicyCaller {
  caller: Caller
  /** The skill whose run asks. */
  skill?: string | undefined
}

export interface ClaimedCaller {
  caller: Exclude<Caller, 'skill'>
  /** The run that the request names as its cause. */
  skillRunId?: string | undefined
}

/** The skill of a run that is in flight; undefined for an id that only looks like one. */
const skillOfRun = (journal: Pick<Journal, 'last' | 'records'>, runId: string): string | undefined => {
  const actor = `skill-run:${runId}`
  if (!journal.last(actor)?.tags.includes('in-flight')) return undefined
  const requested = journal.records({ actor, limit: 4 }).find(({ event }) => event.type === 'run.requested')
  const skillId = requested?.event.skillId
  return typeof skillId === 'string' ? skillId : undefined
}

/** A caller over HTTP stays one, whichever run it names: nothing that a stranger sends changes who it is. */
export const callerOf = (
  journal: Pick<Journal, 'last' | 'records'>,
  { caller, skillRunId }: ClaimedCaller,
): PolicyCaller => {
  const skill = caller === 'http' || skillRunId === undefined ? undefined : skillOfRun(journal, skillRunId)
  return skill === undefined ? { caller } : { caller: 'skill', skill }
}

export interface SkillToRun extends ClaimedCaller {
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
export type SkillPolicy = (skill: SkillToRun) => Promise<ErrorObject | undefined>

interface SkillPolicyParts {
  load: LoadPolicy
  refuse: Refuse
  namesOf: DeviceNames
  journal: Pick<Journal, 'last' | 'records'>
}

export const createSkillPolicy =
  ({ load, refuse, namesOf, journal }: SkillPolicyParts): SkillPolicy =>
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
    const verdict =
      isOfDevice && !found ? evaluateForAnyDevice(policy, facts) : evaluatePolicy(policy, facts, confirmed)
    return verdict.effect === 'allow' ? undefined : refuse(denialOf(verdict, facts), work)
  }

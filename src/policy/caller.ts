/** Identifies the caller for the policy: by the way its request came, or as the skill whose script it is. */
import type { Caller } from '../contracts/policy.ts'
import type { Journal } from '../runtime/journal/journal.ts'

export interface AskingCaller {
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
): AskingCaller => {
  const skill = caller === 'http' || skillRunId === undefined ? undefined : skillOfRun(journal, skillRunId)
  return skill === undefined ? { caller } : { caller: 'skill', skill }
}

/** A refusal of the policy: on record, and as the caller is told it. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import { CHECKPOINT_RECORDS } from '../contracts/limits.ts'
import { BROKEN_FILE_RULE } from '../contracts/policy.ts'
import type { Clock } from '../runtime/clock.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { Denial } from './denial.ts'
import type { LoadedPolicy } from './load.ts'

/** What the record says beside the rule. */
export interface RefusedWork {
  commandId?: string | undefined
  skillRunId?: string | undefined
}

export type Refuse = (denial: Denial, work: RefusedWork) => Promise<ErrorObject>

export interface RefuseOptions {
  journal: Pick<Journal, 'append' | 'last' | 'saveCheckpoint'>
  clock: Clock
  /** Hears what could not be recorded. */
  note(text: string): void
}

/** What stands in the journal as actor and as machine; there is no chart of it, for it has one state. */
const POLICY = 'policy'
const DENIED = 'execution.denied'
const ATTEMPTS = 5

export const brokenDenial = ({ path, problem }: Extract<LoadedPolicy, { kind: 'broken' }>, caller: string): Denial => ({
  message: `the policy file ${path} cannot be used: ${problem}; until it can, everything is denied`,
  details: { rule: BROKEN_FILE_RULE, effect: 'deny', action: '*', caller, path },
  hint: 'Write or correct that file, or name another one with --policy or SVC_POLICY.',
})

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Without the keys that are undefined. */
const given = (work: RefusedWork) => Object.fromEntries(Object.entries(work).filter(([, value]) => value !== undefined))

/** Refused whether or not the journal takes the record. */
export const createRefuse = ({ journal, clock, note }: RefuseOptions): Refuse => {
  const record = async ({ details }: Denial, work: RefusedWork) => {
    for (let attempt = 1; ; attempt++) {
      const n = (journal.last(POLICY)?.n ?? -1) + 1
      const at = clock.now()
      const event = { ...details, ...given(work), type: DENIED, at }
      const place = { actor: POLICY, n, machine: POLICY, version: 1, at, from: n === 0 ? '' : 'denied', to: 'denied' }
      try {
        const { seq } = await journal.append({ ...place, event, tags: [] })
        // Retention takes only what a checkpoint covers.
        if (n % CHECKPOINT_RECORDS === 0)
          await journal.saveCheckpoint({ actor: POLICY, n, seq, version: 1, snapshot: {} })
        return
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof JournalError && error.reason === 'behind')) throw error
      }
    }
  }
  return async (denial, work) => {
    const { message, details, hint } = denial
    try {
      await record(denial, work)
    } catch (error) {
      note(`a refusal of the policy was not recorded: ${messageOf(error)}`)
    }
    return failure('EXECUTION_DENIED', `${capitalised(message)}.`, { details, hint })
  }
}

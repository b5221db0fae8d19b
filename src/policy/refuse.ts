/** A refusal of the policy: on record, and as the caller is told it. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import { POLICY_LOG } from '../contracts/machines.ts'
import { BROKEN_FILE_RULE } from '../contracts/policy.ts'
import { createLogWriter, type LogWriterOptions } from '../runtime/append-record.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { Denial } from './denial.ts'
import type { LoadedPolicy } from './load.ts'

/** Further fields of the record, beside the rule. */
export interface RefusedWork {
  commandId?: string | undefined
  skillRunId?: string | undefined
  executionId?: string | undefined
}

export type RecordDenial = (denial: Pick<Denial, 'details'>, work: RefusedWork) => Promise<void>
export type Refuse = (denial: Denial, work: RefusedWork) => Promise<ErrorObject>

export interface RefuseOptions extends LogWriterOptions {
  /** Hears what could not be recorded. */
  note(text: string): void
}

const DENIED = 'execution.denied'

export const brokenDenial = ({ path, problem }: Extract<LoadedPolicy, { kind: 'broken' }>, caller: string): Denial => ({
  message: `the policy file ${path} cannot be used: ${problem}; until it can, everything is denied`,
  details: { rule: BROKEN_FILE_RULE, effect: 'deny', action: '*', caller, path },
  hint: 'Write or correct that file, or name another one with --policy or SVC_POLICY.',
})

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Drops undefined keys. */
const given = (work: RefusedWork) => Object.fromEntries(Object.entries(work).filter(([, value]) => value !== undefined))

/** A denial is told to its caller whether or not the journal takes the record. */
export const createRecordDenial = ({ journal, clock, note }: RefuseOptions): RecordDenial => {
  const log = createLogWriter({ journal, clock })
  return async ({ details }, work) => {
    const event = { ...details, ...given(work), type: DENIED }
    try {
      await log.append({ actor: POLICY_LOG, machine: POLICY_LOG, state: 'denied', event })
    } catch (error) {
      note(`A refusal of the policy (rule "${details.rule}") was not recorded: ${messageOf(error)}.`)
    }
  }
}

/** Refuses before anything is sent or started. */
export const createRefuse =
  (record: RecordDenial): Refuse =>
  async (denial, work) => {
    const { message, details, hint } = denial
    await record(denial, work)
    return failure('EXECUTION_DENIED', `${capitalised(message)}; nothing was done.`, {
      details: { ...details, dispatched: false },
      hint,
    })
  }

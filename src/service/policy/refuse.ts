/** A refusal of the policy: on record, and as the caller is told it. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureExtra, failure } from '../../contracts/failures/failures.ts'
import { BROKEN_FILE_RULE, type Caller, DEFAULT_RULE } from '../../contracts/policy.ts'
import { POLICY_LOG } from '../../contracts/records/machines.ts'
import { createLogWriter, type LogWriterOptions } from '../../runtime/append-record.ts'
import { capitalised, messageOf } from '../../runtime/message-of.ts'
import type { PolicyDecision, PolicyFacts } from './evaluate-policy.ts'
import type { LoadedPolicy } from './load.ts'

type DenialCode = 'EXECUTION_DENIED' | 'SHELL_DENIED'

export interface Denial extends FailureExtra {
  code: DenialCode
  /** One clause without a full stop. */
  message: string
  details: { rule: string; effect: 'deny' | 'confirm'; action: string; caller: string; [more: string]: unknown }
}

/** Names no path: callers from other machines read it too. */
const DENIED_HINT =
  'Change the rules in the policy file: the one of `SVC_POLICY`, else policy.json in the svc home. Each refusal is shown by svc watch policy as it happens.'

export const denialOf = (verdict: Exclude<PolicyDecision, { effect: 'allow' }>, facts: PolicyFacts): Denial => {
  const { rule, effect, code = 'EXECUTION_DENIED' } = verdict
  const { caller, devices, package: applicationId, skill, operator } = facts
  const action = facts.step ?? facts.action
  const contained = verdict.contained ?? (facts.step === undefined ? undefined : facts.action)
  const [deviceId] = devices
  const what = `${action}${contained === undefined ? '' : ` (which contains ${contained})`}${applicationId ? ` in ${applicationId}` : ''}${deviceId === undefined ? '' : ` on ${deviceId}`}`
  const details = {
    rule,
    effect,
    action,
    caller,
    ...(contained === undefined ? {} : { contained }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(applicationId ? { package: applicationId } : {}),
    ...(skill === undefined ? {} : { skill }),
    ...(operator === undefined ? {} : { operator }),
  }
  if (code === 'SHELL_DENIED') {
    const message = `no rule of the policy with effect allow names ${action} for ${caller}, and only ${action === 'shell' ? 'the command line needs' : 'the command line and WebDriver sessions need'} none`
    return { code, message, details, hint: namedHint(action, caller) }
  }
  if (effect === 'confirm') {
    const message = `the rule "${rule}" of the policy wants a person to confirm ${what}`
    return {
      code,
      message,
      details,
      hint: 'Only an MCP client that can ask its user is asked; everybody else is refused.',
    }
  }
  return rule === DEFAULT_RULE
    ? { code, message: `no rule of the policy allows ${what} for ${caller}`, details, hint: DENIED_HINT }
    : { code, message: `the rule "${rule}" of the policy denies ${what} for ${caller}`, details, hint: DENIED_HINT }
}

const namedHint = (action: string, caller: Caller) => {
  const rule = JSON.stringify({ id: `${caller}-${action}`, effect: 'allow', actions: [action], callers: [caller] })
  return `Run it on the command line; or add to the policy file, the one of \`SVC_POLICY\`, else policy.json in the svc home, this rule: ${rule} \`*\` or no list of actions is not enough.`
}

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
  code: 'EXECUTION_DENIED',
  message: `the policy file ${path} cannot be used: ${problem}; until it can, everything is denied`,
  details: { rule: BROKEN_FILE_RULE, effect: 'deny', action: '*', caller, path },
  hint: 'Write or correct that file, or name another one with `SVC_POLICY`.',
})

/** Drops undefined keys. */
const definedFields = (work: RefusedWork) =>
  Object.fromEntries(Object.entries(work).filter(([, value]) => value !== undefined))

/** A denial is told to its caller whether or not the journal takes the record. */
export const createRecordDenial = ({ journal, clock, note }: RefuseOptions): RecordDenial => {
  const log = createLogWriter({ journal, clock })
  return async ({ details }, work) => {
    const event = { ...details, ...definedFields(work), type: DENIED }
    try {
      await log.append({ actor: POLICY_LOG, machine: POLICY_LOG, state: 'denied', event })
    } catch (error) {
      note(`A refusal of the policy (rule "${details.rule}") was not recorded: ${messageOf(error)}.`)
    }
  }
}

/** The refusal of what is neither sent nor started. */
export const refusalOf = ({ code, message, details, hint }: Denial): ErrorObject =>
  failure(code, `${capitalised(message)}; nothing was done.`, { details: { ...details, dispatched: false }, hint })

/** Refuses before anything is sent or started. */
export const createRefuse =
  (record: RecordDenial): Refuse =>
  async (denial, work) => {
    await record(denial, work)
    return refusalOf(denial)
  }

/** One value says who asks and under which conditions; it travels in headers. */

import type { ErrorObject } from '../failures/error.ts'
import { failure } from '../failures/failures.ts'
import { isObject } from '../json/json.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../operations/operation.ts'
import { isId, isSkillRunId } from '../records/ids.ts'
import {
  ANSWER_WITHIN_HEADER,
  CALLER_HEADER,
  CHOSEN_ID_HEADER,
  CONFIRMED_HEADER,
  FLEET_EPOCH_HEADER,
  FLEET_FROM_HEADER,
  FLEET_PATHS_HEADER,
  FLEET_PICTURES_HEADER,
  FLEET_TAKEN_HEADER,
  LEASE_HEADER,
  OPERATOR_UNNAMED_HEADER,
  SECRETS_HEADER,
  SKILL_RUN_HEADER,
} from './headers.ts'

/** A text that nobody may read later, and what stands in its place. */
export interface KnownSecret {
  readonly token: string
  readonly value: string
}

/** A caller over the network is `http`, whatever it says; the others are named by processes of this user and hosts of the fleet. */
const NAMED_DOORS = ['cli', 'mcp', 'webdriver', 'flow'] as const
export type Door = (typeof NAMED_DOORS)[number] | 'http'

export interface RequestContext {
  /** The door through which somebody asks; the runtime adds `skill` where a run is in flight. */
  readonly caller: Door
  /** True for a caller over the network: nothing that it sends changes who it is, and its deadline is judged. */
  readonly isStranger?: true | undefined
  /** Rules of the policy to which a person has said yes. */
  readonly confirmed?: readonly string[] | undefined
  /** The id that the execution gets, chosen by the caller so that it can ask for the receipt whatever happens. */
  readonly executionId?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** The reservation that the request belongs to: cooperation, no secret. */
  readonly leaseId?: string | undefined
  /** The skill run that causes the request. */
  readonly skillRunId?: string | undefined
  /** How long the caller waits for the answer. */
  readonly answerWithinMs?: number | undefined
  /** True when the caller named no operator: the one in the body is its default, and the device decides. */
  readonly isOperatorUnnamed?: boolean | undefined
  /** True when the caller fetches pictures itself and writes them on its own machine. */
  readonly fetchesPictures?: boolean | undefined
  /** The digest of the paths that whoever sent the execution has taken out of it. */
  readonly picturePaths?: string | undefined
  /** The folders below which the caller may name files of this host; absent for one who may name any. It does not travel. */
  readonly fileRoots?: readonly string[] | undefined
  /** True when it came through the fleet: paths of its caller are of another machine. */
  readonly isFromFleet?: true | undefined
  /** Values that stand in the payload as tokens, and are recorded as such wherever the execution runs. */
  readonly secrets?: readonly KnownSecret[] | undefined
  /** True once the files that another machine has sent along are in the place of their references. It does not travel. */
  readonly hasBroughtFiles?: true | undefined
  /** True for a look of the door itself after its caller acted: a refusal of it is not recorded. It does not travel. */
  readonly isFollowUp?: true | undefined
  /** Set when another host sent the request here: it goes no further, and holds under this epoch. */
  readonly sent?: { readonly from: string; readonly epoch?: number | undefined } | undefined
}

/** Headers by their names in lower case, as Node reads them. */
export type ContextHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export type ContextRead = { ok: true; context: RequestContext } | { ok: false; error: ErrorObject }

const KEY_HEADER = IDEMPOTENCY_KEY_HEADER.toLowerCase()
const LEASE_KEY = LEASE_HEADER.toLowerCase()
const RUN_HEADER = SKILL_RUN_HEADER.toLowerCase()

const KEY = /^[\x21-\x7e]{1,255}$/
const MS = /^[1-9]\d{0,8}$/
const SHA_256 = /^[0-9a-f]{64}$/
const EPOCH = /^\d{1,15}$/

const textIn = (headers: ContextHeaders, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

const refused = (message: string, hint?: string): ContextRead => ({
  ok: false,
  error: failure('INVALID_BODY', message, { hint }),
})

const decoded = (id: string): string[] => {
  try {
    return [decodeURIComponent(id.trim())]
  } catch {
    return []
  }
}

const isSecret = (each: unknown): each is KnownSecret =>
  isObject(each) && typeof each.token === 'string' && typeof each.value === 'string' && each.token !== ''

const secretsIn = (header: string | undefined): readonly KnownSecret[] | undefined => {
  if (header === undefined) return undefined
  try {
    const read: unknown = JSON.parse(decodeURIComponent(header))
    return Array.isArray(read) && read.every(isSecret) ? read : undefined
  } catch {
    return undefined
  }
}

/** Believed from processes of this user and from hosts of the fleet only. */
const privateParts = (headers: ContextHeaders): Partial<RequestContext> => {
  const caller = textIn(headers, CALLER_HEADER)
  const confirmed = textIn(headers, CONFIRMED_HEADER)
  const executionId = textIn(headers, CHOSEN_ID_HEADER)
  const from = textIn(headers, FLEET_FROM_HEADER)
  const epoch = textIn(headers, FLEET_EPOCH_HEADER)
  const door = NAMED_DOORS.find(name => name === caller)
  const paths = textIn(headers, FLEET_PATHS_HEADER)
  const secrets = secretsIn(textIn(headers, SECRETS_HEADER))
  const isEpoch = epoch !== undefined && EPOCH.test(epoch)
  return {
    ...(door ? { caller: door } : {}),
    ...(door && confirmed !== undefined ? { confirmed: confirmed.split(',').flatMap(decoded) } : {}),
    ...(executionId === undefined ? {} : { executionId }),
    ...(headers[OPERATOR_UNNAMED_HEADER] === undefined ? {} : { isOperatorUnnamed: true }),
    ...(headers[FLEET_PICTURES_HEADER] === undefined ? {} : { fetchesPictures: true }),
    ...(headers[FLEET_TAKEN_HEADER] === undefined ? {} : { isFromFleet: true }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(paths !== undefined && SHA_256.test(paths) ? { picturePaths: paths } : {}),
    ...(from === undefined ? {} : { sent: { from, ...(isEpoch ? { epoch: Number(epoch) } : {}) } }),
  }
}

/** A caller over the network is `http` whatever it says; its key, its reservation, its skill run and its deadline are all that is read. */
export const readContext = (headers: ContextHeaders, { isPrivate }: { isPrivate: boolean }): ContextRead => {
  const idempotencyKey = textIn(headers, KEY_HEADER)
  const skillRunId = textIn(headers, RUN_HEADER)
  const leaseId = textIn(headers, LEASE_KEY)
  const within = textIn(headers, ANSWER_WITHIN_HEADER)
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey))
    return refused('The header Idempotency-Key must be 1 to 255 visible ASCII characters.', 'A UUID makes a good key.')
  if (skillRunId !== undefined && !isSkillRunId(skillRunId))
    return refused(`The header ${SKILL_RUN_HEADER} must be the id of a skill run, as SVC_SKILL_RUN_ID has it.`)
  if (leaseId !== undefined && !isId(leaseId))
    return refused(`The header ${LEASE_HEADER} must be the leaseId of a reservation, as POST /leases answers it.`)
  if (within !== undefined && !MS.test(within))
    return refused(`The header ${ANSWER_WITHIN_HEADER} must be a whole number of milliseconds.`)
  const context: RequestContext = {
    caller: 'http',
    ...(isPrivate ? privateParts(headers) : { isStranger: true as const }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(leaseId === undefined ? {} : { leaseId }),
    ...(skillRunId === undefined ? {} : { skillRunId }),
    ...(within === undefined ? {} : { answerWithinMs: Number(within) }),
  }
  const { executionId } = context
  if (executionId !== undefined && !isId(executionId))
    return refused(`The header ${CHOSEN_ID_HEADER} must be a UUID of version 7 in lower case.`)
  return { ok: true, context }
}

export const writeContext = ({ sent, ...context }: RequestContext): Record<string, string> => {
  const { caller, confirmed, executionId, idempotencyKey, skillRunId, answerWithinMs } = context
  return {
    [CALLER_HEADER]: caller,
    ...(confirmed === undefined ? {} : { [CONFIRMED_HEADER]: confirmed.map(encodeURIComponent).join(',') }),
    ...(executionId === undefined ? {} : { [CHOSEN_ID_HEADER]: executionId }),
    ...(idempotencyKey === undefined ? {} : { [KEY_HEADER]: idempotencyKey }),
    ...(context.leaseId === undefined ? {} : { [LEASE_KEY]: context.leaseId }),
    ...(skillRunId === undefined ? {} : { [RUN_HEADER]: skillRunId }),
    ...(answerWithinMs === undefined ? {} : { [ANSWER_WITHIN_HEADER]: String(answerWithinMs) }),
    ...(context.secrets === undefined ? {} : { [SECRETS_HEADER]: encodeURIComponent(JSON.stringify(context.secrets)) }),
    ...(context.isOperatorUnnamed ? { [OPERATOR_UNNAMED_HEADER]: '1' } : {}),
    ...(context.fetchesPictures ? { [FLEET_PICTURES_HEADER]: '1' } : {}),
    ...(context.picturePaths === undefined ? {} : { [FLEET_PATHS_HEADER]: context.picturePaths }),
    ...(sent === undefined ? {} : { [FLEET_FROM_HEADER]: sent.from }),
    ...(sent?.epoch === undefined ? {} : { [FLEET_EPOCH_HEADER]: String(sent.epoch) }),
  }
}

/** A host that had a phone asks the one that owns it now what became of a request. It travels as requests do, and never reaches the app there. */
import * as v from 'valibot'
import { WireEnvelope } from '../../contracts/device/operator.ts'
import { isNestedDeeper, parsedJson } from '../../contracts/json/json.ts'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import { EVIDENCE_ASK_MS } from '../../contracts/limits/limits.ts'
import type { ResultAnswer } from '../../device/operators/app/ask-for-result.ts'
import type { Learner } from '../../service/executions/evidence/learn.ts'
import type { PhoneOwner } from '../../service/executions/fence.ts'
import { failureAnswer } from '../exchange/request.ts'
import type { Handle } from '../exchange/serve.ts'
import type { Forwarded, ForwardRequest } from '../fleet.ts'
import { askedEntries } from '../log/sent-lists.ts'

/** No route begins like this. */
export const QUESTION_PATH = '/-/phone-question'

const JSON_TYPE = { 'content-type': 'application/json' }
/** An envelope of an operator has 200 levels at most. */
const LEVELS_MAX = 256

const Question = openObject({ phone: v.string(), executionId: v.string(), ...askedEntries })

const progress = v.array(openObject({ step: count, success: v.boolean() }))
const from = v.picklist(['operator', 'log'])

const Answer = v.variant('kind', [
  openObject({ kind: v.literal('result'), envelope: WireEnvelope, from }),
  openObject({ kind: v.literal('running'), step: count, progress, from }),
  openObject({ kind: v.literal('unknown'), progress, from, isForgotten: v.boolean() }),
  openObject({ kind: v.literal('unanswered'), reason: v.string() }),
])

const readBody = (body: Uint8Array): unknown => {
  const value = parsedJson(Buffer.from(body).toString())
  return isNestedDeeper(value, LEVELS_MAX) ? undefined : value
}

export interface PhoneQuestionsOptions {
  forward(to: string, request: ForwardRequest): Promise<Forwarded>
  /** The serial of a phone that this host owns. */
  ownedSerial(phone: string): string | undefined
  learner(): Pick<Learner, 'askFor'>
}

export const createPhoneQuestions = ({ forward, ownedSerial, learner }: PhoneQuestionsOptions) => ({
  ask(host: string, phone: string): PhoneOwner['ask'] {
    const unanswered = (reason: string): ResultAnswer => ({ kind: 'unanswered', reason: `host ${host}, ${reason}` })
    return async (executionId, request, { withinMs, signal }) => {
      const body = Buffer.from(JSON.stringify({ phone, executionId, ...request }))
      const sent = { method: 'POST', path: QUESTION_PATH, headers: JSON_TYPE, body, withinMs, signal }
      const answered = await forward(host, sent)
      if (answered.kind !== 'done') return unanswered('which owns the phone now, does not answer')
      const read = v.safeParse(Answer, answered.answer.status === 200 ? readBody(answered.answer.body) : undefined)
      return read.success ? read.output : unanswered('which owned the phone last, cannot ask it')
    }
  },
  /** Answers the question of another host; looks only. */
  handle: (async ({ body, withinMs }, { signal }) => {
    const read = v.safeParse(Question, readBody(body))
    if (!read.success) return failureAnswer('INVALID_QUERY', 'The question about a phone cannot be read.')
    const { phone, executionId, ...request } = read.output
    const deviceId = ownedSerial(phone)
    if (deviceId === undefined) return failureAnswer('FLEET_HOST_GONE', 'The phone is not of this host.')
    const bounded = { withinMs: Math.min(withinMs, EVIDENCE_ASK_MS), signal }
    const answer = await learner().askFor({ deviceId, phone, executionId }, request, bounded)
    return { status: 200, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(answer)) }
  }) satisfies Handle,
})

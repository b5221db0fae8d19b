/** The rules of an envelope beyond its shape: what must agree with the request and within itself. */
import * as v from 'valibot'
import { cardOf } from '../../../contracts/actions/cards.ts'
import { ResultEnvelope, type StepResult } from '../../../contracts/executions/execution-result.ts'
import { openObject } from '../../../contracts/json/objects.ts'
import { isTooDeep, parseJson, WIRE_LEVELS_MAX } from '../app/wire/messages.ts'
import { Breach, quoted } from './breach.ts'

/** As documented; a host also takes what `WireEnvelope` forgives. */
export const StrictEnvelope = openObject({ ...ResultEnvelope.entries, nonce: v.string() })
export type StrictEnvelope = v.InferOutput<typeof StrictEnvelope>

/** The parts of a request that its answer must agree with. */
export interface Expected {
  commandId: string
  taskId: string
  nonce: string
  /** Undefined for a request that cannot be valid. */
  actions?: readonly { id: string; type: string }[] | undefined
}

const CODE = /^[A-Z][A-Z0-9_]*$/

const shaped = (value: unknown): StrictEnvelope => {
  if (isTooDeep(value)) {
    throw new Breach(
      `The envelope is nested deeper than ${WIRE_LEVELS_MAX} levels.`,
      'Send only the documented members: a host refuses what is nested deeper.',
    )
  }
  const parsed = v.safeParse(StrictEnvelope, value, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new Breach(
    `The envelope is not of the documented shape (${v.getDotPath(issue) ?? 'envelope'}: ${issue.message}).`,
    'Send {commandId, taskId, nonce, status, stepResults, error, errorCode?}; `data` of a step holds strings only, and `error` is null or {code, message, details?}.',
  )
}

const judgeIds = (envelope: StrictEnvelope, expected: Expected) => {
  for (const key of ['commandId', 'taskId', 'nonce'] as const) {
    if (envelope[key] === expected[key]) continue
    throw new Breach(
      `${key} is ${quoted(envelope[key])} where the request has ${quoted(expected[key])}.`,
      `Copy ${key} of the request unchanged, in UTF-8, and escape it as JSON does.`,
    )
  }
}

const judgeSteps = ({ stepResults, status }: StrictEnvelope, actions: NonNullable<Expected['actions']>) => {
  const isPrefix = stepResults.every(
    ({ id, actionType }, at) => id === actions[at]?.id && actionType === actions[at]?.type,
  )
  if (!isPrefix || stepResults.length > actions.length) {
    throw new Breach(
      'The steps of the result are not those of the request.',
      'Report each step that ran, in the order of the list, with its `id` and its type as `actionType`.',
    )
  }
  const failed = stepResults.findIndex(({ success }) => !success)
  if (failed >= 0 && failed !== stepResults.length - 1) {
    throw new Breach('A step ran after one that had failed.', 'End the list at the first step that fails.')
  }
  if (status === 'success' && (failed >= 0 || stepResults.length !== actions.length)) {
    throw new Breach(
      'The status is success, and not every step of the request is reported as a success.',
      'Report success only when all steps ran and succeeded.',
    )
  }
}

const judgeFailure = ({ status, error, errorCode, stepResults }: StrictEnvelope) => {
  if (status === 'success') {
    if (error === null && errorCode === undefined) return
    throw new Breach(
      'The status is success, and an error is given.',
      'Send `error: null` and no `errorCode` with a success.',
    )
  }
  if (error === null || !CODE.test(errorCode ?? error.code)) {
    throw new Breach(
      'The status is failed, and no code says why.',
      'Send `error: {code, message}` and the same code as `errorCode`, such as NODE_NOT_FOUND.',
    )
  }
  const step = stepResults.find(({ success }) => !success)
  if (step && (step.data.error === undefined || step.data.message === undefined)) {
    throw new Breach(
      'The failed step does not say why it failed.',
      'Give the code in `data.error` and a clause in `data.message`.',
    )
  }
}

/** Throws a Breach for the first rule that is broken. */
export const judgeEnvelope = (value: unknown, expected: Expected): StrictEnvelope => {
  const envelope = shaped(value)
  judgeIds(envelope, expected)
  if (expected.actions) judgeSteps(envelope, expected.actions)
  judgeFailure(envelope)
  return envelope
}

/** The same, for an envelope as it was written. */
export const judgeText = (text: string, expected: Expected): StrictEnvelope => {
  const json = parseJson(text)
  if (!json) throw new Breach('The envelope is not JSON.', 'Write it with a JSON encoder.')
  return judgeEnvelope(json.value, expected)
}

export const codeOf = ({ error, errorCode }: StrictEnvelope): string | undefined => errorCode ?? error?.code

/** Throws a Breach unless the step holds every documented key of its data. */
export const judgeStepData = ({ actionType, data }: StepResult): void => {
  const documented = cardOf(actionType)?.data ?? []
  const missing = documented.filter(key => data[key] === undefined)
  if (missing.length === 0) return
  throw new Breach(
    `The data of ${actionType} lacks ${missing.join(', ')}.`,
    `Send ${documented.join(', ')} as strings in \`data\` of the step.`,
  )
}

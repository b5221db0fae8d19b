/** The rules of an envelope beyond its shape: what must agree with the request and within itself. */
import * as v from 'valibot'
import { cardOf } from '../../../contracts/actions/cards.ts'
import { ResultEnvelope, type StepResult } from '../../../contracts/executions/execution-result.ts'
import { openObject } from '../../../contracts/json/objects.ts'
import { isTooDeep, parseJson, WIRE_LEVELS_MAX } from '../app/wire/messages.ts'
import { demand, quoted } from './breach.ts'

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

/** The value in the shape of the schema, or a Breach that names where it differs. */
export const shaped = <T>(schema: v.GenericSchema<unknown, T>, value: unknown, what: string, remedy: string): T => {
  const parsed = v.safeParse(schema, value, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const at = `${v.getDotPath(issue) ?? what.split(' ')[1]}: ${issue.message}`
  demand(false, `${what} is not of the documented shape (${at}).`, remedy)
}

const judgeSteps = ({ stepResults, status }: StrictEnvelope, actions: NonNullable<Expected['actions']>) => {
  demand(
    stepResults.every(({ id, actionType }, at) => id === actions[at]?.id && actionType === actions[at]?.type),
    'The steps of the result are not those of the request.',
    'Report each step that ran, in the order of the list, with its `id` and its type as `actionType`.',
  )
  const failed = stepResults.findIndex(({ success }) => !success)
  const isEnd = failed < 0 || failed === stepResults.length - 1
  demand(isEnd, 'A step ran after one that had failed.', 'End the list at the first step that fails.')
  demand(
    status !== 'success' || (failed < 0 && stepResults.length === actions.length),
    'The status is success, and not every step of the request is reported as a success.',
    'Report success only when all steps ran and succeeded.',
  )
}

const judgeFailure = ({ status, error, errorCode, stepResults }: StrictEnvelope) => {
  const isSuccess = status === 'success'
  demand(
    !isSuccess || (error === null && errorCode === undefined),
    'The status is success, and an error is given.',
    'Send `error: null` and no `errorCode` with a success.',
  )
  demand(
    isSuccess || (error !== null && CODE.test(errorCode ?? error.code)),
    'The status is failed, and no code says why.',
    'Send `error: {code, message}` and the same code as `errorCode`, such as NODE_NOT_FOUND.',
  )
  const step = isSuccess ? undefined : stepResults.find(({ success }) => !success)
  demand(
    !step || (step.data.error !== undefined && step.data.message !== undefined),
    'The failed step does not say why it failed.',
    'Give the code in `data.error` and a clause in `data.message`.',
  )
}

/** Throws a Breach for the first rule that is broken. */
export const judgeEnvelope = (value: unknown, expected: Expected): StrictEnvelope => {
  demand(
    !isTooDeep(value),
    `The envelope is nested deeper than ${WIRE_LEVELS_MAX} levels.`,
    'Send only the documented members: a host refuses what is nested deeper.',
  )
  const envelope = shaped(
    StrictEnvelope,
    value,
    'The envelope',
    'Send {commandId, taskId, nonce, status, stepResults, error, errorCode?}; `data` of a step holds strings only, and `error` is null or {code, message, details?}.',
  )
  for (const key of ['commandId', 'taskId', 'nonce'] as const) {
    const came = `${key} is ${quoted(envelope[key])} where the request has ${quoted(expected[key])}.`
    const remedy = `Copy ${key} of the request unchanged, in UTF-8, and escape it as JSON does.`
    demand(envelope[key] === expected[key], came, remedy)
  }
  if (expected.actions) judgeSteps(envelope, expected.actions)
  judgeFailure(envelope)
  return envelope
}

/** The same, for an envelope as it was written. */
export const judgeText = (text: string, expected: Expected): StrictEnvelope => {
  const json = parseJson(text)
  demand(json, 'The envelope is not JSON.', 'Write it with a JSON encoder.')
  return judgeEnvelope(json.value, expected)
}

export const codeOf = ({ error, errorCode }: StrictEnvelope): string | undefined => errorCode ?? error?.code

/** Throws a Breach unless the step holds every documented key of its data. */
export const judgeStepData = ({ actionType, data }: StepResult): void => {
  const documented = cardOf(actionType)?.data ?? []
  const missing = documented.filter(key => data[key] === undefined).join(', ')
  const remedy = `Send ${documented.join(', ')} as strings in \`data\` of the step.`
  demand(missing === '', `The data of ${actionType} lacks ${missing}.`, remedy)
}

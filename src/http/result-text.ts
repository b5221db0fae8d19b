/** An execution result as JSON text, made once: the answer and the events are cut from the same text. */
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { textOf } from '../runtime/journal/seal.ts'

export interface ResultText {
  /** The whole result. */
  json: string
  /** Its envelope, if there is one. */
  envelope: string | undefined
}

const ENVELOPE = ',"envelope":'
const SUCCESS_CODE = '{"ok":true,'

/** True for a result as `answered` builds it, which the journal has already turned into text. */
const isAsRecorded = (result: object): boolean => {
  const keys = Object.keys(result)
  return keys.length === 5 && keys[4] === 'envelope'
}

export const resultText = (result: ExecutionResult): ResultText => {
  if (!result.ok) return { json: JSON.stringify({ ok: false, error: result.error }), envelope: undefined }
  const { deviceId, terminalSource, operatorPackage, envelope, observed } = result
  const whole = isAsRecorded(result)
    ? result
    : { ok: true, deviceId, terminalSource, operatorPackage, observed, envelope }
  return success(textOf(whole))
}

// No string within holds these characters, for its quotes are escaped.
const success = (json: string): ResultText => ({
  json,
  envelope: json.slice(json.indexOf(ENVELOPE) + ENVELOPE.length, -1),
})

/** The same of a text that `resultText` has made. */
export const readResultText = (json: string): ResultText =>
  json.startsWith(SUCCESS_CODE) ? success(json) : { json, envelope: undefined }

/** Every failure after acceptance names the receipt. */
export const withExecutionId = (result: ExecutionResult, executionId: string | undefined): ExecutionResult => {
  if (result.ok || executionId === undefined || result.error.details?.executionId === executionId) return result
  return { ok: false, error: { ...result.error, details: { ...result.error.details, executionId } } }
}

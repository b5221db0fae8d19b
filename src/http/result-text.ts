/** An execution result as JSON text, made once: the answer and the events are cut from the same text. */
import type { ExecutionResult } from '../contracts/execution-result.ts'

export interface ResultText {
  /** The whole result. */
  json: string
  /** Its envelope, if there is one. */
  envelope: string | undefined
}

export const resultText = (result: ExecutionResult): ResultText => {
  if (!result.ok) return { json: JSON.stringify({ ok: false, error: result.error }), envelope: undefined }
  const { deviceId, terminalSource, operatorPackage } = result
  const envelope = JSON.stringify(result.envelope)
  const head = JSON.stringify({ ok: true, deviceId, terminalSource, operatorPackage })
  return { json: `${head.slice(0, -1)},"envelope":${envelope}}`, envelope }
}

/** Every failure after acceptance names the receipt. */
export const withExecutionId = (result: ExecutionResult, executionId: string | undefined): ExecutionResult => {
  if (result.ok || executionId === undefined || result.error.details?.executionId === executionId) return result
  return { ok: false, error: { ...result.error, details: { ...result.error.details, executionId } } }
}

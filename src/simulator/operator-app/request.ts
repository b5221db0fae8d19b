/** One request to the operator app: reads it, runs its steps over the screen, and makes the envelope that answers it. */
import * as v from 'valibot'
import { OperatorRequest } from '../../contracts/device/operator.ts'
import type { EnvelopeError, StepResult } from '../../contracts/executions/execution-result.ts'
import type { UiDriver } from '../../device/screen/driver.ts'
import { runSteps } from '../../device/screen/run.ts'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'

/** The address of an answer to a request, as far as it could be read. */
export interface Address {
  commandId: string
  taskId: string
  nonce: string
}

export type ReadRequest = { ok: true; request: OperatorRequest } | { ok: false; address: Address; message: string }

const addressIn = (value: unknown): Address => {
  const stringOf = (key: string): string => {
    const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
    return typeof found === 'string' ? found : ''
  }
  return { commandId: stringOf('commandId'), taskId: stringOf('taskId'), nonce: stringOf('nonce') }
}

/** The same of a text that is not JSON, as far as its beginning can be read. */
const addressInText = (text: string): Address => {
  const stringOf = (key: string) => new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]*)"`).exec(text)?.[1] ?? ''
  return { commandId: stringOf('commandId'), taskId: stringOf('taskId'), nonce: stringOf('nonce') }
}

const parse = (text: string): { json: unknown } | { problem: string } => {
  try {
    return { json: JSON.parse(text) }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

export const readRequest = (payload: unknown): ReadRequest => {
  const result = v.safeParse(OperatorRequest, payload)
  if (result.success) return { ok: true, request: result.output }
  const [issue] = result.issues
  const message = `The request is not valid at ${v.getDotPath(issue) ?? 'its top'}: ${issue.message}.`
  return { ok: false, address: addressIn(payload), message }
}

export const readRequestText = (text: string): ReadRequest => {
  const parsed = parse(text)
  if ('json' in parsed) return readRequest(parsed.json)
  return { ok: false, address: addressInText(text), message: `The request is not valid JSON: ${parsed.problem}.` }
}

export interface AnsweredEnvelope extends Address {
  status: 'success' | 'failed'
  stepResults: readonly StepResult[]
  error: EnvelopeError | null
  errorCode?: string
}

const envelopeOf = (
  { commandId, taskId, nonce }: Address,
  outcome: { stepResults: readonly StepResult[]; error: EnvelopeError | null },
): AnsweredEnvelope => ({
  commandId,
  taskId,
  nonce,
  status: outcome.error ? 'failed' : 'success',
  stepResults: outcome.stepResults,
  error: outcome.error,
  ...(outcome.error ? { errorCode: outcome.error.code } : {}),
})

export const refusal = (address: Address, code: string, message: string): AnsweredEnvelope =>
  envelopeOf(address, { stepResults: [], error: { code, message } })

interface ExecuteOptions {
  driver: UiDriver
  /** The device's clock. */
  clock: Clock
  timeScale: number
  random: () => number
  signal: AbortSignal
  hasAccessibility(): boolean
  onStepEnd(step: number, success: boolean): void
}

const NO_ACCESSIBILITY = 'The accessibility service of the operator app is switched off.'

export const executeRequest = async (read: ReadRequest, options: ExecuteOptions): Promise<AnsweredEnvelope> => {
  if (!read.ok) return refusal(read.address, 'EXECUTION_VALIDATION_FAILED', read.message)
  const { request } = read
  if (!options.hasAccessibility()) return refusal(request, 'SERVICE_UNAVAILABLE', NO_ACCESSIBILITY)
  const { driver, clock, timeScale, random, signal, onStepEnd } = options
  // A device that lives faster than we do still has all of the caller's time.
  const deadline = clock.now() + request.timeoutMs / Math.min(1, timeScale)
  try {
    return envelopeOf(request, await runSteps(request.actions, { driver, clock, signal, random, deadline, onStepEnd }))
  } catch (error) {
    const reason = messageOf(error)
    return refusal(request, 'ACTION_FAILED', `The operator app broke: ${reason}.`)
  }
}

/** The envelope that the operator app answers with. */
import type { EnvelopeError, StepResult } from '../../contracts/execution-result.ts'
import type { Address } from './request.ts'

export interface AnsweredEnvelope extends Address {
  status: 'success' | 'failed'
  stepResults: readonly StepResult[]
  error: EnvelopeError | null
  errorCode?: string
}

export const envelopeOf = (
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

/** What an answer claims about the tap: that it happened, that it did not, or neither. */
import { FAILURES, isFailureCode } from '../../../src/contracts/failures/failures.ts'

export type Claim = 'did' | 'did-not' | 'doubt'

export interface Answer {
  /** `killed`: the caller itself was; `hung`: it was given up on. */
  kind: 'answered' | 'broken' | 'killed' | 'hung'
  claim: Claim
  code?: string | undefined
  executionId?: string | undefined
  /** As the caller read it, for the report. */
  message?: string | undefined
}

interface ErrorShape {
  code?: string
  message?: string
  retriable?: boolean
  details?: { dispatched?: boolean; executionId?: string }
}

interface Said extends ErrorShape {
  error?: ErrorShape | null
  envelope?: { status?: string; errorCode?: string }
  status?: string
}

export const claimOfError = ({ code = '', retriable, details }: ErrorShape): Claim => {
  if (details?.dispatched !== undefined) return details.dispatched ? 'doubt' : 'did-not'
  if (retriable === true) return 'did-not'
  return isFailureCode(code) && !FAILURES[code].mayHaveExecuted ? 'did-not' : 'doubt'
}

const unread = (kind: Answer['kind'], code: string): Answer => ({ kind, claim: 'doubt', code })
export const killed = unread('killed', 'SIGKILL')
export const hung = unread('hung', 'HUNG')

/** A connection that was refused carried nothing. */
export const broken = (error: unknown): Answer => {
  const code = String((error as NodeJS.ErrnoException).code ?? error)
  return { kind: 'broken', claim: code === 'ECONNREFUSED' ? 'did-not' : 'doubt', code }
}

/** Of POST /execute, and of a command: the same fields, the error inside or outside. */
export const answerOf = (json: unknown, executionId?: string): Answer => {
  if (typeof json !== 'object' || json === null) return { kind: 'answered', claim: 'doubt', code: 'NO_JSON' }
  const said = json as Said
  const { envelope } = said
  if (envelope?.status === 'success') return { kind: 'answered', claim: 'did', executionId }
  if (envelope) return { kind: 'answered', claim: 'doubt', code: envelope.errorCode ?? 'FAILED', executionId }
  const error = said.error ?? said
  const named = executionId ?? error.details?.executionId
  const { code = 'NO_CODE', message } = error
  return { kind: 'answered', claim: claimOfError(error), code, executionId: named, message }
}

/** A skill run that failed does not say what its script had done by then. */
export const skillAnswerOf = (json: unknown): Answer => {
  const { status, code } = (json ?? {}) as Said
  return {
    kind: 'answered',
    claim: status === 'success' ? 'did' : 'doubt',
    code: status === 'success' ? undefined : code,
  }
}

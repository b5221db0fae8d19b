/** Turns failures of svc into errors of the protocol: one table, and what their data tells. */
import { withoutChosenIds, withoutStepIds } from '../../../contracts/chosen-step-ids.ts'
import { hintAt } from '../../../contracts/door-words.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { FAILURES, type FailureCode, isFailureCode } from '../../../contracts/failures/failures.ts'
import type { Dispatched } from '../../../contracts/outcome.ts'
import { type ErrorName, WebDriverError } from './webdriver-error.ts'

/** Codes that are not here are `unknown error`. */
const ERROR_OF: Partial<Readonly<Record<FailureCode, ErrorName>>> = {
  NODE_NOT_FOUND: 'no such element',
  TARGET_NOT_FOUND: 'no such element',
  CONTAINER_NOT_FOUND: 'no such element',
  REF_STALE: 'stale element reference',
  REF_AMBIGUOUS: 'stale element reference',
  NODE_NOT_CLICKABLE: 'element not interactable',
  CONTAINER_NOT_SCROLLABLE: 'element not interactable',
  DIALOG_NOT_FOUND: 'no such alert',
  EVIDENCE_CAPTURE_FAILED: 'unable to capture screen',
  EXECUTION_ACTION_UNSUPPORTED: 'unsupported operation',
  EXECUTION_VALIDATION_FAILED: 'invalid argument',
  INVALID_BODY: 'invalid argument',
  INVALID_QUERY: 'invalid argument',
  METHOD_NOT_ALLOWED: 'unknown method',
  PAYLOAD_TOO_LARGE: 'invalid argument',
  FILE_REFUSED: 'invalid argument',
  FILE_NOT_FOUND: 'invalid argument',
  URI_NOT_HANDLED: 'invalid argument',
  APP_NOT_FOUND: 'invalid argument',
  NAVIGATION_TIMEOUT: 'timeout',
  PAGE_NOT_FOUND: 'no such window',
  PAGE_SCRIPT_FAILED: 'javascript error',
}

/** A step that failed was carried out by the phone, where there was an execution; other failures say it in their details, or by their code. */
const dispatchedOf = ({ code, details }: ErrorObject, executionId: string | undefined): Dispatched => {
  const dispatched = details?.dispatched
  if (typeof dispatched === 'boolean' || dispatched === 'unknown') return dispatched
  const failure = isFailureCode(code) ? FAILURES[code] : undefined
  if (failure?.layer === 'envelope') return executionId !== undefined
  return failure?.mayHaveExecuted === false ? false : 'unknown'
}

export const failureData = (error: ErrorObject, executionId?: string): Record<string, unknown> => ({
  code: error.code,
  ...(executionId === undefined ? {} : { executionId }),
  dispatched: dispatchedOf(error, executionId),
  ...(error.hint === undefined ? {} : { hint: hintAt('webdriver', error.hint) }),
  ...(error.details === undefined ? {} : { details: withoutStepIds(error).details }),
  ...(error.details?.holder === undefined ? {} : { holder: error.details.holder }),
})

/** Clients print the message alone, so that it has the code and the hint. */
export const failureMessage = ({ code, message, hint }: ErrorObject): string => {
  const text = withoutChosenIds(message)
  return `${hint === undefined ? text : `${text.replace(/[.!?]?$/, end => end || '.')} ${hintAt('webdriver', hint)}`} (${code})`
}

/** Text goes to the field that has the focus, or to an element that is there: no locator has failed, as clients would believe. */
const lacksField = ({ code, details }: ErrorObject): boolean =>
  code === 'NODE_NOT_FOUND' && details?.actionType === 'enter_text'

/** The element is no field, or the field takes no text. */
const refusesText = ({ code, details }: ErrorObject): boolean =>
  code === 'ACTION_FAILED' && details?.actionType === 'enter_text'

const nameOf = (error: ErrorObject): ErrorName | undefined => {
  if (lacksField(error)) return 'element not interactable'
  if (refusesText(error)) return 'invalid element state'
  return isFailureCode(error.code) ? ERROR_OF[error.code] : undefined
}

export const webDriverErrorOf = (error: ErrorObject, executionId?: string): WebDriverError => {
  return new WebDriverError(nameOf(error) ?? 'unknown error', failureMessage(error), failureData(error, executionId))
}

/** Section WebDriver: the errors of the protocol, each with its status. */

/** The names that W3C WebDriver gives, as far as this server answers them. */
export const ERROR_STATUS = {
  'element click intercepted': 400,
  'element not interactable': 400,
  'invalid argument': 400,
  'invalid element state': 400,
  'invalid selector': 400,
  'invalid session id': 404,
  'javascript error': 500,
  'move target out of bounds': 500,
  'no such alert': 404,
  'no such context': 404,
  'no such element': 404,
  'no such frame': 404,
  'no such window': 404,
  'script timeout': 500,
  'session not created': 500,
  'stale element reference': 404,
  timeout: 500,
  'unable to capture screen': 500,
  'unexpected alert open': 500,
  'unknown command': 404,
  'unknown error': 500,
  'unknown method': 405,
  'unsupported operation': 500,
} as const satisfies Readonly<Record<string, number>>
export type ErrorName = keyof typeof ERROR_STATUS

/** Ends a command: `data` travels as it is. */
export class WebDriverError extends Error {
  readonly error: ErrorName
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(error: ErrorName, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message)
    this.name = 'WebDriverError'
    this.error = error
    this.data = data
  }
}

/** The header Content-Type of a JSON body: `application/json`, in UTF-8, whatever else it says. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const PARAMETER = new RegExp(`^[ \\t]*(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*$`)
const UTF_8 = /^utf-8$/i
const MEDIA_TYPE = 'application/json'

const invalid = (message: string, hint: string) => failure('INVALID_BODY', message, { hint })

/** Splits at semicolons that are in no quoted string. */
const SECTIONS = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g

export const mediaTypeProblem = (header: string | undefined): ErrorObject | undefined => {
  const hint = `Send the header Content-Type: ${MEDIA_TYPE}.`
  if (header === undefined) return invalid('The body has no media type.', hint)
  // What nearly every caller sends.
  if (header === MEDIA_TYPE) return undefined
  const [type = '', ...parameters] = header.match(SECTIONS) ?? []
  if (type.trim().toLowerCase() !== MEDIA_TYPE) return invalid('The body is not sent as JSON.', hint)
  for (const parameter of parameters) {
    if (parameter.trim() === '') continue
    const [, name, token, quoted] = PARAMETER.exec(parameter) ?? []
    if (name === undefined) return invalid('The media type of the body has a malformed parameter.', hint)
    const value = token ?? (quoted ?? '').replace(/\\(.)/g, '$1')
    if (name.toLowerCase() === 'charset' && !UTF_8.test(value)) {
      return invalid('The body is not in UTF-8, the only character encoding taken.', 'Send it as UTF-8.')
    }
  }
  return undefined
}

export const encodingProblem = (header: string | undefined): ErrorObject | undefined =>
  header === undefined || header.trim().toLowerCase() === 'identity'
    ? undefined
    : invalid('The body has a content encoding; none is taken.', 'Send it uncompressed.')

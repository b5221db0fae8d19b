/** Translates answers of the adb server, which are sentences, into error codes. */
import { ExactReadableEndedError } from '@yume-chan/struct'
import { messageOf } from '../runtime/message-of.ts'
import { LinkError, type LinkErrorCode } from './link-error.ts'

const SENTENCES: readonly (readonly [RegExp, LinkErrorCode])[] = [
  [/unauthorized|still authorizing|insufficient permissions|no permissions/, 'DEVICE_UNAUTHORIZED'],
  [/offline|still connecting/, 'DEVICE_OFFLINE'],
  [/device.*not found|no device|no transport/, 'DEVICE_NOT_FOUND'],
  [/unknown host service/, 'ADB_SERVER_FAILED'],
]

const hasCode = (error: unknown, ...codes: readonly string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Nobody listens there; a server may be started. */
export const isNobodyThere = (error: unknown): boolean => hasCode(error, 'ECONNREFUSED', 'ENOENT')

/** The server is not an adb server, or it is gone in the middle of its answer. */
const isBroken = (error: unknown) =>
  !(error instanceof Error) ||
  'code' in error ||
  error instanceof TypeError ||
  error instanceof ExactReadableEndedError ||
  error.message.startsWith('Unexpected response')

/** The first line is the cause, what follows is advice for people at a terminal. */
const firstLine = (error: unknown) => messageOf(error).slice(0, LINE_CHARS_MAX).split('\n')[0] ?? ''
const LINE_CHARS_MAX = 500

/** Converts a failed request to the server to an error; `otherwise` is the code for words that are not in the table. */
export const serverError = (error: unknown, what: string, otherwise: LinkErrorCode): LinkError => {
  if (error instanceof LinkError) return error
  const said = firstLine(error)
  const code = isBroken(error) ? 'ADB_SERVER_FAILED' : SENTENCES.find(([words]) => words.test(said))?.[1]
  return new LinkError(code ?? otherwise, `${what}: ${said || 'the adb server closed the connection'}`, {
    cause: error,
  })
}

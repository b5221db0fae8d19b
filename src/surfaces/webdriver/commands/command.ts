/** One endpoint of a session as data: its path below /session/:sessionId, and the function that answers it. */
import type { LiveSession } from '../session/live-session.ts'

export interface CommandInput {
  /** The parts of the path by their names: `elementId`, `name`. */
  readonly path: Readonly<Record<string, string>>
  /** The JSON object of the request; empty for GET and DELETE. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface SessionCommand {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash; `/element/:elementId/click`. */
  readonly path: `/${string}` | ''
  /** The words for documents. */
  readonly summary: string
  /** Answers the `value` of the response; throws WebDriverError. */
  run(session: LiveSession, input: CommandInput): Promise<unknown>
}

/** One `mobile:` method of POST execute/sync. */
export interface MobileMethod {
  /** Without the prefix: `clickGesture`. */
  readonly name: string
  readonly summary: string
  /** `args` is the object that the script was given. */
  run(session: LiveSession, args: Readonly<Record<string, unknown>>): Promise<unknown>
}

/**
 * Commands as data: an endpoint of a session has its path below /session/:sessionId and the function that answers it;
 * a `mobile:` method is declared with the schema of its arguments, and with one endpoint that performs the same.
 */

import { type Arguments, type Entries, type Refusals, readArguments } from '../protocol/arguments.ts'
import type { LiveSession } from '../session/live-session.ts'

interface Declaration<E extends Entries> {
  readonly name: string
  readonly summary: string
  readonly args: E
  run(session: LiveSession, args: Arguments<E>): Promise<unknown>
}

/** With the words for documents. */
export interface DescribedMethod extends MobileMethod {
  readonly argumentNames: readonly string[]
}

interface DeclaredMethod<E extends Entries> extends DescribedMethod {
  /** With arguments that are known to be right. */
  perform(session: LiveSession, args: Arguments<E>): Promise<unknown>
}

export const mobileMethod = <const E extends Entries>({
  name,
  summary,
  args: entries,
  run,
}: Declaration<E>): DeclaredMethod<E> => ({
  name,
  summary,
  argumentNames: Object.keys(entries),
  perform: run,
  run: (session, args) => run(session, readArguments(entries, args, { of: `mobile: ${name}` })),
})

interface Older<E extends Entries> {
  readonly method?: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly summary: string
  readonly args: E
  readonly refused?: Refusals
  run(session: LiveSession, args: Arguments<E>, input: CommandInput): Promise<unknown>
}

/** An endpoint of Appium from before its `mobile:` methods. Members of the body that it does not know are left alone. */
export const olderPath = <const E extends Entries>({
  method = 'POST',
  path,
  summary,
  args,
  refused,
  run,
}: Older<E>): SessionCommand => ({
  method,
  path,
  summary,
  run: (session, input) =>
    run(session, readArguments(args, input.body, { of: `${method} ${path}`, isOpen: true, refused }), input),
})

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

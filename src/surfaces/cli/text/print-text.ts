/** Prints a result or a failure for people: on stdout what was asked for, on stderr why there is none. */
import type { Clock } from '../../../runtime/clock.ts'
import type { Command, Environment, Given, Printer } from '../command.ts'
import type { Io } from '../io.ts'
import { executionText } from './execution.ts'
import { failureText, isFailure } from './failure.ts'
import { createPage, type Page } from './page.ts'
import { visibleLines } from './visible.ts'

export interface TextOptions {
  output: unknown
  ok: boolean
  /** Undefined before it is known. */
  command: Pick<Command, 'path' | 'text' | 'isReport' | 'printsFailures'> | undefined
  given: Given
  env: Environment
  clock: Clock
  /** On the monotonic clock. */
  begunAt: number
  io: Pick<Io, 'print' | 'note' | 'isTerminal' | 'columns' | 'errorColumns'>
}

/** The only escape sequences that svc writes itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const OWN_COLOUR = /(\x1b\[\d{1,2}m)/

/** The last look at a text before a terminal gets it, whatever its printer has forgotten. */
const guarded = (text: string, hasColours: boolean): string =>
  hasColours
    ? text
        .split(OWN_COLOUR)
        .map((part, at) => (at % 2 === 1 ? part : escapedLines(part)))
        .join('')
    : escapedLines(text)

/** Isolates are of our own making here. */
const escapedLines = (text: string): string =>
  text
    .split(/([\u2068\u2069])/)
    .map((part, at) => (at % 2 === 1 ? part : visibleLines(part)))
    .join('')

const asJson = (output: unknown): string => JSON.stringify(output, null, 2)

const printerOf = async (text: Command['text']): Promise<Printer> => {
  if (text === 'execution') return executionText
  return typeof text === 'function' ? text() : (_, output) => asJson(output)
}

/** An answer whose shape the printer does not know is printed as JSON: it says what happened on the device. */
const printed = async (page: Page, text: Command['text'], output: unknown): Promise<string> => {
  try {
    return (await printerOf(text))(page, output as never)
  } catch {
    return asJson(output)
  }
}

export const printText = async (options: TextOptions): Promise<void> => {
  const { output, ok, command, given, env, clock, begunAt, io } = options
  const isForStdout = ok || (command?.isReport === true && !isFailure(output))
  const width = isForStdout ? (io.isTerminal() ? io.columns() : undefined) : io.errorColumns()
  const hasColours = width !== undefined && !env.NO_COLOR && env.TERM !== 'dumb'
  const page = createPage({
    width: width || undefined,
    hasColours,
    now: clock.now(),
    offset: at => -new Date(at).getTimezoneOffset(),
    tookMs: clock.elapsed() - begunAt,
    given,
    path: command?.path ?? [],
  })
  const isPlainFailure = !ok && isFailure(output) && !command?.printsFailures
  const text = isPlainFailure ? failureText(page, output) : await printed(page, command?.text, output)
  if (isForStdout) await io.print(guarded(text, hasColours))
  else io.note(guarded(text, hasColours))
}

/** The context of a command, and what all performers share: looking for elements, and the words of a failed step. */

import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import type { Action } from '../language/command.ts'
import { describeSelector } from '../language/describe-command.ts'
import { EXECUTION_MARGIN_MS } from '../language/limits.ts'
import type { PhoneStep } from '../phones.ts'
import type { LiveAttempt } from './attempt.ts'
import type { CallOptions } from './call-phone.ts'
import type { CommandEnd } from './command-log.ts'
import { CommandFailed, failed, flowErrorOf } from './failure.ts'

/** Some shapes have several names. */
type OfName<Each, Name> = Each extends { name: infer Names } ? ([Name & Names] extends [never] ? never : Each) : never
export type ActionNamed<Name extends Action['name']> = OfName<Action, Name>

export interface FlowCommandContext {
  readonly attempt: LiveAttempt
  /** The position of the command in the attempt. */
  readonly index: number
  readonly signal: AbortSignal
  /** An optional command looks for a shorter time. */
  readonly isOptional: boolean
  /** Puts a file of this host on record before it is used; one without bytes is not read by this process itself. */
  reads(file: string, bytes?: Uint8Array): Promise<void>
  /** The same text when the command is repeated. */
  random(kind: ActionNamed<'inputRandom'>['kind'], length: number): Promise<string>
  /** Throws CommandFailed where the execution has no envelope; a step that failed is an answer. */
  call(steps: readonly PhoneStep[], options: CallOptions): Promise<CallAnswer>
}

export interface CallAnswer {
  readonly steps: readonly StepResult[]
  readonly error?: { code: string; message: string; hint?: string; details?: { [key: string]: unknown } } | undefined
}

/** The results of a command: the paths of its files, and a text that later commands need. */
export type Performed = Pick<CommandEnd, 'files' | 'text' | 'written'> | undefined
export type Perform<Name extends Action['name']> = (
  action: ActionNamed<Name>,
  context: FlowCommandContext,
) => Promise<Performed> | Promise<void>

/** How long a command looks for its element, and how long where it may fail. */
export const LOOKUP_MS = 17_000
export const OPTIONAL_LOOKUP_MS = 7_000
export const MARGIN_MS = EXECUTION_MARGIN_MS
/** The screen after a touch is waited for so long. */
const SETTLE_MS = 3_000
export const SETTLE_MS_MAX = 30_000
/** The longest wait of one execution. */
const WAIT_AT_ONCE_MS = 80_000

/** The time since the flow last touched the phone counts as spent. */
export const lookupMs = ({ attempt }: FlowCommandContext, ms: number): number =>
  Math.max(1, Math.round(ms - Math.max(0, attempt.clock.elapsed() - attempt.state.touchedAt)))

export const elementLookup = (context: FlowCommandContext): number =>
  lookupMs(context, context.isOptional ? OPTIONAL_LOOKUP_MS : LOOKUP_MS)

export const matcherOf = (selector: FlowSelector) => ({ flow: selector })

export const waitFor = (selector: FlowSelector, timeoutMs: number): PhoneStep => ({
  type: 'wait_for_node',
  params: { matcher: matcherOf(selector), timeoutMs },
})

export const settle = (ms: number = SETTLE_MS): PhoneStep => ({
  type: 'wait_for_idle',
  params: { timeoutMs: Math.min(SETTLE_MS_MAX, Math.max(1, ms)) },
})

/** Rejects with CommandFailed unless every step has succeeded. */
export const passed = ({ steps, error }: CallAnswer, what?: string): readonly StepResult[] => {
  if (!error) return steps
  const { message, hint, details } = error
  // Only the page could tell that its selector is none.
  const code = steps.at(-1)?.data.invalid_selector === undefined ? error.code : 'FLOW_INVALID'
  throw new CommandFailed({
    ...flowErrorOf({
      ...{ code, message, retriable: false },
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    }),
    ...(what === undefined ? {} : { message: what }),
  })
}

/** Looks until the element is there, or gone; true when it came to that. */
export const appears = async (
  context: FlowCommandContext,
  selector: FlowSelector,
  { ms, state = 'visible' }: { ms: number; state?: 'visible' | 'gone' },
): Promise<{ isSo: boolean; answer: CallAnswer }> => {
  for (let leftMs = Math.max(1, Math.round(ms)); ; leftMs -= WAIT_AT_ONCE_MS) {
    const timeoutMs = Math.min(leftMs, WAIT_AT_ONCE_MS)
    const params = { matcher: matcherOf(selector), timeoutMs, ...(state === 'gone' ? { state } : {}) }
    const answer = await context.call([{ type: 'wait_for_node', params }], { timeoutMs: timeoutMs + MARGIN_MS })
    if (!answer.error) return { isSo: true, answer }
    const isOver = !['NODE_NOT_FOUND', 'NODE_STILL_VISIBLE'].includes(answer.error.code)
    if (isOver) passed(answer)
    if (leftMs <= WAIT_AT_ONCE_MS) return { isSo: false, answer }
  }
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`

export const notFound = (selector: FlowSelector, ms: number): string =>
  `No element on the screen has ${describeSelector(selector)}; looked for ${seconds(ms)}.`

export const notFoundToTheEnd = (selector: FlowSelector, scrolls: number): string =>
  `No element on the screen has ${describeSelector(selector)}; the last of ${scrolls} scrolls brought nothing new.`

export const stillThere = (selector: FlowSelector, ms: number): string =>
  `An element with ${describeSelector(selector)} is still on the screen after ${seconds(ms)}.`

const MISSING: readonly string[] = ['NODE_NOT_FOUND', 'TARGET_NOT_FOUND']

/** Texts of failed looks are in the words of the flow. */
export const foundOrFailed = (answer: CallAnswer, selector: FlowSelector, ms: number): readonly StepResult[] =>
  passed(answer, MISSING.includes(answer.error?.code ?? '') ? notFound(selector, ms) : undefined)

export const noAssertion = (message: string, details?: Record<string, unknown>): CommandFailed =>
  failed('ASSERTION_FAILED', message, details)

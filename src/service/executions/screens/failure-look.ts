/**
 * Adds to a failed step the application in front, the labels nearest to the one that it looked for, and the installed
 * application whose name is nearest.
 */

import type { Action } from '../../../contracts/executions/action.ts'
import type { EnvelopeError } from '../../../contracts/executions/execution-result.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { USE_NEAREST_HINT } from '../../../contracts/failures/failure-labels.ts'
import { NAME_FIELD_HINT, SHADE_HINT, stepHint } from '../../../contracts/failures/step-hints.ts'
import { FAILURE_ANSWER_MS, FAILURE_LOOK_MS, LOOK_PAUSE_MS } from '../../../contracts/limits/limits.ts'
import { nearestInstalled } from '../../../device/apps/nearest-app.ts'
import type { SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import { STOPPED } from '../../../device/operators/segment-outcome.ts'
import type { DispatchGate } from '../../../device/operators/segment-run.ts'
import { SYSTEM_UI } from '../../../device/operators/shell/windows.ts'
import { missing } from '../../../device/screen/locate.ts'
import { pause } from '../../../runtime/clock.ts'
import { OBSERVATION } from '../../policy/evaluate-policy.ts'
import { foregroundPackage, refusedInForeground } from '../run/check-step.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import { compactText, firstLines, type NumberedScreen } from './compact-lines.ts'
import { type NextIndex, retrySnapshot } from './host-snapshot.ts'
import { firstLabels, type NearestLabel, nearestLabels, withoutSecrets } from './nearest-labels.ts'
import { type Screen, screenOf } from './screen.ts'

const APP_NOT_FOUND = 'APP_NOT_FOUND'
const LOOK_OVER = 'the look is over'

const wantedApp = ({ action }: FailedStep): string | undefined => {
  const { applicationId } = (action?.params ?? {}) as { applicationId?: unknown }
  return typeof applicationId === 'string' ? applicationId : undefined
}

/** The part as it was where no name is near, or the device does not say in time. */
/** For a step that found no application. */
export const withNearestApp = async (
  { session, control, clock }: ExecutionRun,
  failed: FailedStep,
): Promise<SegmentResult> => {
  const { part } = failed
  const wanted = wantedApp(failed)
  const code = part.errorCode ?? part.error?.code
  const ms = Math.floor(Math.min(FAILURE_LOOK_MS, control.answerLeftMs() - FAILURE_ANSWER_MS))
  if (part.error === null || code !== APP_NOT_FOUND || wanted === undefined || ms <= 0 || control.halt.aborted)
    return part
  const over = new AbortController()
  const forget = control.halt.onAbort(() => over.abort(LOOK_OVER))
  const call = { deadline: clock.now() + ms, signal: over.signal }
  const near = await session
    .link(call)
    .then(link => nearestInstalled(link, wanted, call))
    .catch(() => undefined)
    .finally(forget)
  if (near === undefined) return part
  const hint = [`Did you mean ${near}?`, part.error.hint ?? stepHint(APP_NOT_FOUND)].join(' ')
  return { ...part, error: { ...part.error, hint } }
}

interface FailedStep {
  part: SegmentResult
  /** The action that was sent. */
  action?: Action | undefined
}

interface ScreenFacts {
  foreground?: string
  nearest?: NearestLabel[]
  /** The first labels of a screen on which none is near. */
  onScreen?: NearestLabel[]
  /** The screen in compact lines, and its number, so that the caller can go on with the refs in it. */
  screen?: number
  text?: string
  linesOmitted?: number
}

interface Found extends ScreenFacts {
  /** A text was for a field by its label, and the screen has a field. */
  hasField?: boolean
}

const MISSED_NODE = ['NODE_NOT_FOUND', 'TARGET_NOT_FOUND']
const MISSED_WINDOW = 'NAVIGATION_TIMEOUT'
/** A fixed reason: an abort without one makes an exception with a stack. */
const OVER = 'the look is over'
/** A hint names so many labels; the details have all of them. */
const NAMED_IN_HINT = 3

/** The node that a step of this action looked for; of two, the one that the message names. */
const wantedBy = (action: Action, message: string): Matcher | undefined => {
  if (action.type === 'drag') {
    const ends = [action.params.from.matcher, action.params.to.matcher].filter(end => end !== undefined)
    return ends.find(end => message.includes(missing(end))) ?? ends[0]
  }
  const { matcher, labelMatcher } = (action.params ?? {}) as { matcher?: Matcher; labelMatcher?: Matcher }
  return matcher ?? labelMatcher
}

const isByLabel = (action: Action | undefined, matcher: Matcher): boolean =>
  action?.type === 'enter_text' && (matcher.textEquals ?? matcher.textContains) !== undefined

/**
 * The look has a time of its own, for that of the execution may be over when a wait for a node has failed. Nothing of it
 * leaves once that time is over.
 */
const runOfLook = (run: ExecutionRun, ms: number, over: AbortSignal): ExecutionRun => {
  const { control } = run
  const execution = { ...run.dispatch.execution, timeoutMs: Math.ceil(control.spentMs()) + ms }
  const dispatch: DispatchGate['dispatch'] = async (segment, how) => {
    if (over.aborted) return STOPPED
    const undispatched = await control.dispatch(segment, how)
    return undispatched ?? (over.aborted ? STOPPED : undefined)
  }
  return { ...run, dispatch: { ...run.dispatch, execution }, control: { ...control, dispatch } }
}

const frontOf = ({ session, control }: ExecutionRun): Promise<string> =>
  foregroundPackage(session, control).catch(() => '')

/** False where the policy does not let the caller see this application. */
export const maySee = ({ inFront }: ExecutionRun['dispatch'], front: string): boolean =>
  inFront === undefined || refusedInForeground([OBSERVATION], front, inFront) === undefined

interface FactsOptions {
  run: ExecutionRun
  next: NextIndex
  failed: FailedStep
  ms: number
  /** Aborted when nobody waits for the facts any more. */
  over: AbortSignal
  /** The screen that was shown to the caller after the steps. */
  observed: NumberedScreen | undefined
}

/** The screen as the operator saw it, else as one more look shows it; undefined when it cannot be seen. */
const screenFor = async ({ run, next, failed: { part }, ms, over }: FactsOptions): Promise<Screen | undefined> => {
  if (part.tree && run.operator.hasCompleteTrees) return screenOf(part.tree, await frontOf(run))
  const looked = await retrySnapshot(runOfLook(run, ms, over), next, { withinMs: ms })
  return looked.kind === 'seen' ? looked.screen : undefined
}

/** Writes what it finds into `facts` at once: its time may be over before it has found everything. */
const findFacts = async (options: FactsOptions, facts: Found): Promise<void> => {
  const { run, failed, observed } = options
  const { dispatch, screens, executionId } = run
  const { part, action } = failed
  const matcher = action && codeOf(part) !== MISSED_WINDOW ? wantedBy(action, part.error?.message ?? '') : undefined
  const isWanted = matcher !== undefined && dispatch.phone !== undefined && !dispatch.isScreenHidden
  const screen = isWanted ? (observed?.screen ?? (await screenFor(options))) : undefined
  const front = screen?.package || (await frontOf(run))
  if (front !== '') facts.foreground = front
  if (!screen || !matcher || dispatch.phone === undefined || !maySee(dispatch, front)) return
  const safeScreen = withoutSecrets(screen)
  const numbered = observed ?? (await screens.remember(dispatch.phone, safeScreen, executionId))
  facts.hasField = isByLabel(action, matcher) && safeScreen.nodes.some(({ role }) => role === 'textfield')
  const seen = { number: numbered.number, screen: safeScreen }
  facts.nearest = nearestLabels(seen, matcher)
  if (facts.nearest.length === 0 && !facts.hasField) facts.onScreen = firstLabels(seen)
  // A flow asks again and again, and goes on without refs.
  if (matcher.flow === undefined) Object.assign(facts, { screen: seen.number }, firstLines(compactText(seen)))
}

const named = ({ ref, label }: NearestLabel): string => `${JSON.stringify(label)} (${ref})`

const hintOf = (
  { foreground, nearest = [], onScreen = [] }: ScreenFacts,
  otherwise: string | undefined,
  hasField: boolean,
): string | undefined => {
  const isShade = foreground === SYSTEM_UI
  const front = isShade
    ? `${SHADE_HINT} `
    : foreground === undefined
      ? ''
      : `The application in front is ${foreground}. `
  if (nearest.length === 0 && hasField) return `${front}${NAME_FIELD_HINT}`
  const labelList =
    onScreen.length === 0 ? '' : ` On the screen: ${onScreen.map(({ label }) => JSON.stringify(label)).join(', ')}.`
  if (nearest.length === 0) return otherwise && `${front}${otherwise}${labelList}`
  const labels = nearest.slice(0, NAMED_IN_HINT).map(named).join(', ')
  return `${front}Nearest to what was asked for: ${labels}. ${USE_NEAREST_HINT}`
}

const withFacts = (error: EnvelopeError, { hasField = false, ...facts }: Found, actionType?: string): EnvelopeError => {
  const isShade = error.code === MISSED_WINDOW && facts.foreground === SYSTEM_UI
  const hint = error.hint ?? (isShade ? SHADE_HINT : hintOf(facts, stepHint(error.code, actionType), hasField))
  return { ...error, details: { ...error.details, ...facts }, ...(hint === undefined ? {} : { hint }) }
}

const codeOf = ({ errorCode, error }: SegmentResult): string => errorCode ?? error?.code ?? ''

/**
 * The part as it was where nothing can be said of the screen in time: a look that fails takes nothing from the failure.
 * It ends at once when the execution is cancelled or overdue.
 */
export const withScreenFacts = async (
  run: ExecutionRun,
  next: NextIndex,
  failed: FailedStep,
  observed?: NumberedScreen,
): Promise<SegmentResult> => {
  const { clock, control } = run
  const { part, action } = failed
  const code = codeOf(part)
  if (part.error === null || !(code === MISSED_WINDOW || MISSED_NODE.includes(code))) return part
  const ms = Math.floor(Math.min(FAILURE_LOOK_MS, control.answerLeftMs() - FAILURE_ANSWER_MS))
  if (ms <= LOOK_PAUSE_MS || control.halt.aborted) return part
  const facts: Found = {}
  const over = new AbortController()
  const forget = control.halt.onAbort(() => over.abort(OVER))
  const finding = findFacts({ run, next, failed, ms, over: over.signal, observed }, facts).catch(() => {})
  await Promise.race([finding, pause(clock, ms, over.signal)])
  forget()
  over.abort(OVER)
  const error = withFacts(part.error, { ...facts }, action?.type)
  return { ...part, error }
}

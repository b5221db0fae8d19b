/** Section Record, verification: a text on a screen that says which screen it is, today and on another day. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import type { SeenNode, SeenScreen } from '../../executions/seen-screen.ts'
import type { Input, ParameterizedFlow } from './extract-inputs.ts'
import type { FlowStep } from './flow.ts'

export interface IdentifyingText {
  /** Waits for the node, with its text. */
  wait: Matcher
  /** Reads it: by its id alone where that is unique, so that what is read can differ from what is expected. */
  read: Matcher
  /** The text as it was seen, with `{name}` for the values of inputs. */
  expected: string
  /** Why this one. */
  reasons: readonly string[]
}

const CHARS = { min: 2, max: 80 }
/** Clocks, dates, levels, counts and everything else with a number; times that are told by words; braces of templates. */
const VOLATILE = /[\p{N}{}\n]|\b(?:now|ago|today|yesterday|tomorrow|am|pm|mon|tue|wed|thu|fri|sat|sun)\b/iu
const TITLE_ID = /title|header|toolbar|heading/i

/** These actions change what is on the screen. */
export const isActing = ({ type }: Action): boolean => !onlyLooks(type)

const template = (text: string, { replace }: Pick<ParameterizedFlow, 'replace'>) => {
  const used: Input[] = []
  const expected = replace(text, input => {
    used.push(input)
    return `{${input.name}}`
  })
  return { expected, used }
}

interface Candidate extends IdentifyingText {
  score: number
}

const isAlone = (screen: SeenScreen, matches: (node: SeenNode) => boolean) => screen.nodes.filter(matches).length === 1

interface Context {
  screen: SeenScreen
  /** Labels of the screens before the last acting step. */
  before: ReadonlySet<string>
  /** Labels of the screens before the first step with a parameter; undefined without parameters. */
  independent: ReadonlySet<string> | undefined
  /** The last acting step has a parameter. */
  isSteered: boolean
  /** The text that it looked for. */
  wanted: string | undefined
  /** The text that the last wait after it found. */
  awaited: string | undefined
  parameterized: ParameterizedFlow
}

const scored = (
  node: SeenNode,
  place: number,
  { screen, before, independent, isSteered, wanted, awaited, parameterized }: Context,
): Candidate | undefined => {
  const { text, resourceId, packageName, password, editable, clickable } = node
  if (password || editable || packageName !== screen.packageName) return undefined
  if (parameterized.inputs.some(({ secret, value }) => secret && text.includes(value))) return undefined
  if (text.length < CHARS.min || text.length > CHARS.max || VOLATILE.test(text) || !/\p{L}{2}/u.test(text))
    return undefined
  if (!isAlone(screen, ({ label }) => label === text)) return undefined
  const { expected, used } = template(text, parameterized)
  // A text that only repeats a parameter proves that it was typed, not where it led; a text with a secret is never
  // written.
  if (used.some(({ secret }) => secret) || !/\p{L}/u.test(expected.replace(/\{[^{}]+\}/g, ''))) return undefined
  const hasId = resourceId !== '' && isAlone(screen, other => other.resourceId === resourceId)
  const isNew = !before.has(text)
  const isIndependent = independent?.has(text) === true
  const reasons: string[] = []
  let score = -place / 100
  const count = (holds: boolean, points: number, reason: string) => {
    if (!holds) return
    score += points
    reasons.push(reason)
  }
  const isPlain = used.length === 0
  count(text === awaited, 60, 'the last wait of the recording was for it')
  count(used.length > 0, 40, 'it says the parameter in a sentence of its own')
  count(isPlain && isIndependent, 20, 'it was there before the first parameter was used, so it does not depend on one')
  count(isPlain && isNew && independent === undefined, 20, 'no screen before the last step shows it')
  count(
    isPlain && isNew && independent !== undefined && !isSteered,
    12,
    'no screen before the last step shows it, and that step has no parameter',
  )
  count(text === wanted, 10, 'it is what the last step went for')
  count(hasId, 8, `its resource id ${resourceId} is unique on that screen`)
  count(hasId && TITLE_ID.test(resourceId), 6, 'its id is that of a title')
  count(!clickable, 4, 'it is not part of something to tap')
  const byText = text === expected ? text : parameterized.replace(text, ({ variable }) => `{{${variable}}}`)
  const read = hasId ? { resourceId } : { textEquals: byText }
  return { wait: { ...read, textEquals: byText }, read, expected, reasons, score }
}

const labelsOf = (screens: readonly (SeenScreen | undefined)[]): ReadonlySet<string> =>
  new Set(screens.flatMap(screen => screen?.nodes.map(({ label }) => label) ?? []))

const wantedBy = (action: Action | undefined): string | undefined =>
  action?.params !== undefined && 'matcher' in action.params ? action.params.matcher?.textEquals : undefined

/** The last wait that found its node between two places; -1 when there is none. */
const lastWaitIn = (steps: readonly FlowStep[], after: number, before: number): number =>
  steps.findLastIndex(
    ({ action, data }, index) =>
      index > after && index < before && action.type === 'wait_for_node' && Boolean(data.label),
  )

const usesInput = (step: FlowStep, parameterized: ParameterizedFlow): boolean => {
  let isUsed = false
  parameterized.replace(JSON.stringify(step.action), () => {
    isUsed = true
    return ''
  })
  return isUsed || JSON.stringify(step.action).includes('{{')
}

/** The best text of the screen that was seen at this place of the flow, compared with the screens before it. */
export const identifyingTextAt = (parameterized: ParameterizedFlow, place: number): IdentifyingText | undefined => {
  const { steps, inputs } = parameterized
  const screen = steps[place]?.screen
  if (!screen) return undefined
  const lastAct = steps.findLastIndex(({ action }, index) => index < place && isActing(action))
  const firstUse = inputs.length === 0 ? -1 : steps.findIndex(step => usesInput(step, parameterized))
  const screensTo = (end: number) => labelsOf(steps.slice(0, Math.max(0, end)).map(step => step.screen))
  const isParametrised = firstUse >= 0 && firstUse < place
  const context: Context = {
    screen,
    before: screensTo(lastAct),
    independent: isParametrised ? screensTo(firstUse) : undefined,
    isSteered: steps[lastAct] !== undefined && usesInput(steps[lastAct], parameterized),
    wanted: wantedBy(steps[lastAct]?.action),
    awaited: steps[lastWaitIn(steps, lastAct, place)]?.data.label,
    parameterized,
  }
  return screen.nodes
    .flatMap((node, index) => scored(node, index, context) ?? [])
    .reduce<Candidate | undefined>((best, each) => (best && best.score >= each.score ? best : each), undefined)
}

/** The anchor from a wait or a read, when no snapshot follows the last acting step. */
const identifyingTextOfRead = (
  { action, data }: FlowStep,
  parameterized: ParameterizedFlow,
): IdentifyingText | undefined => {
  if (action.type !== 'wait_for_node' && action.type !== 'read_text') return undefined
  const text = action.type === 'wait_for_node' ? (data.label ?? '') : (data.text ?? '')
  if (text.length < CHARS.min || text.length > CHARS.max || VOLATILE.test(text)) return undefined
  const { expected, used } = template(text, parameterized)
  if (used.some(({ secret }) => secret) || !/\p{L}/u.test(expected.replace(/\{[^{}]+\}/g, ''))) return undefined
  const reasons = [`step "${action.id}" found it at the end, and no snapshot was taken after it`]
  return { wait: action.params.matcher, read: action.params.matcher, expected, reasons }
}

/** The proof that the recorded skill makes at its end; undefined when no text that was seen there is fit for it. */
export const proposeVerification = (parameterized: ParameterizedFlow): IdentifyingText | undefined => {
  const { steps } = parameterized
  const lastAct = steps.findLastIndex(({ action }) => isActing(action))
  const last = steps.findLastIndex(({ screen }, index) => screen !== undefined && index > lastAct)
  const wait = lastWaitIn(steps, lastAct, steps.length)
  const waited = steps[wait]
  // The screen that was seen before a wait is over may be that of the work that was waited for.
  const awaited = waited && last < wait ? identifyingTextOfRead(waited, parameterized) : undefined
  const seen = awaited ?? (last < 0 ? undefined : identifyingTextAt(parameterized, last))
  if (seen) return seen
  for (const step of steps.slice(lastAct + 1).reverse()) {
    const found = identifyingTextOfRead(step, parameterized)
    if (found) return found
  }
  return undefined
}

/** Section Record, secrets: which steps of a recording type into a password field, and the name of that field. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { isFocusedPasswordIn, isPasswordIn, type SeenScreen } from '../../executions/seen-screen.ts'
import type { FlowStep } from './flow.ts'

export const SECRET_WORDS = /passw|passcode|passphrase|secret|\bpin\b|[_/:]pin\b|\botp\b|\bcvv\b|\bcvc\b|kennwort/i

const isActing = ({ action }: FlowStep) => !onlyLooks(action.type)

/** The step with those before and after it that only look: the screen of each of them is the one that it typed on. */
const sameScreen = (place: number, steps: readonly FlowStep[]): readonly FlowStep[] => {
  const next = steps.findIndex((step, index) => index > place && isActing(step))
  const before = steps.slice(0, place).findLastIndex(isActing)
  return steps.slice(before + 1, next < 0 ? steps.length : next)
}

/** The matcher of the field; where the step has none, that of the click before it, which gave the field the focus. */
const fieldMatcher = (place: number, steps: readonly FlowStep[]): Matcher | undefined => {
  const action = steps[place]?.action
  if (action?.type !== 'enter_text') return undefined
  if (action.params.matcher) return action.params.matcher
  const before = steps.slice(0, place).findLast(isActing)?.action
  return before?.type === 'click' ? before.params.matcher : undefined
}

const hasPassword = ({ nodes }: SeenScreen): boolean => nodes.some(({ password }) => password)

/** Where no screen and no matcher tells the field, a password field on the last screen that was seen is enough. */
const isTypedIntoPassword = (place: number, steps: readonly FlowStep[]): boolean => {
  const focused = sameScreen(place, steps).flatMap(({ screen }) => (screen && isFocusedPasswordIn(screen)) ?? [])
  if (focused.length > 0) return focused.includes(true)
  if (fieldMatcher(place, steps)) return false
  const seen = steps.slice(0, place).findLast(({ screen }) => screen)?.screen
  return seen !== undefined && hasPassword(seen)
}

/** The texts of the matcher about the field itself. */
const wordsOf = (matcher: Matcher = {}): string[] =>
  [matcher, matcher.flow ?? {}].flatMap(keys => Object.values(keys)).filter(value => typeof value === 'string')

export const isSecretAt = (place: number, steps: readonly FlowStep[]): boolean => {
  const action = steps[place]?.action
  if (action?.type !== 'enter_text') return false
  const matcher = fieldMatcher(place, steps)
  if (matcher && steps.some(({ screen }) => screen && isPasswordIn(screen, matcher))) return true
  if (wordsOf(matcher).some(value => SECRET_WORDS.test(value))) return true
  return action.params.matcher === undefined && isTypedIntoPassword(place, steps)
}

/** The end of the field's id, else its label. */
export const fieldNameAt = (place: number, steps: readonly FlowStep[]): string => {
  const { resourceId = '', ...others } = fieldMatcher(place, steps) ?? {}
  return resourceId.split('/').at(-1) || wordsOf(others)[0] || ''
}

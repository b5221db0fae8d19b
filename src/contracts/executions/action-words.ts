/** An action in a few words, and the title of an execution: what it does, as a person would say it. */
import { cardOf } from '../actions/cards.ts'
import { asParams } from '../actions/words.ts'

export interface WordedAction {
  type: string
  params?: unknown
}

/** A title names so many actions and counts the others. */
const NAMED_ACTIONS = 2

export const actionWords = ({ type, params }: WordedAction): string => cardOf(type)?.words(asParams(params)) ?? type

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Names what was done; an execution that only looked is named by its looks. Empty for one without actions. */
export const titleOf = (actions: readonly WordedAction[]): string => titleFrom(actions, actionWords)

/** The same of actions whose words are known. */
export const titleFrom = <A extends { type: string }>(
  actions: readonly A[],
  wordsOf: (action: A) => string,
): string => {
  const named = actions.filter(({ type }) => cardOf(type)?.isAside !== true)
  const shownActions = named.length > 0 ? named : actions
  const words = shownActions
    .slice(0, NAMED_ACTIONS)
    .map((action, index) => (index === 0 ? wordsOf(action) : lowered(wordsOf(action))))
  const more = shownActions.length - words.length
  return words.length === 0 ? '' : `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

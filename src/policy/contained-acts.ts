/** Finds the acts in a step besides its type. A rule that forbids an action forbids every step that contains it. */
import type { Action, ActionType } from '../contracts/action.ts'
import { TAP_PX_MAX } from '../contracts/limits.ts'
import { hasRef } from '../contracts/matcher.ts'

/** One thing that a step does, as rules see it. */
export interface Act {
  action: string
  /** Rules that deny or ask and name one of these fit the act as well; rules that allow must name the act itself. */
  contains: readonly string[]
  /** The type of the step, where the act is one that an option of the step adds: then it must be allowed for itself. */
  step?: string
}

/**
 * Every step of the type does what these types do. A swipe scrolls, and a scroll is a swipe. A snapshot hands out all
 * texts. The link of open_uri opens an application.
 */
const ALWAYS: Partial<Record<ActionType, readonly ActionType[]>> = {
  open_uri: ['open_app'],
  scroll: ['swipe'],
  swipe: ['scroll'],
  scroll_until: ['scroll', 'swipe'],
  scroll_and_click: ['scroll', 'swipe', 'scroll_until'],
  read_key_value_pair: ['read_text'],
  snapshot: ['read_text', 'read_key_value_pair'],
}

/** Whoever is shown the screen takes a snapshot, by whatever name. */
export const OBSERVATION: Act = { action: 'snapshot', contains: ALWAYS.snapshot ?? [] }

const LINE_BREAK = /[\r\n]/

/** A finger that hardly moves taps, or presses long. */
const isTap = ({ start, end }: Extract<Action, { type: 'swipe' }>['params']): boolean =>
  Math.hypot(end.x - start.x, end.y - start.y) <= TAP_PX_MAX

/** Finds acts that parameters add. `named`: the type's name says it too, so a rule that allows the type allows it. */
const added = ({ type, params }: Action): { named?: readonly ActionType[]; optional?: readonly ActionType[] } => {
  switch (type) {
    case 'scroll_and_click':
      return params.clickAfter ? { named: ['click'] } : {}
    case 'scroll_until':
      return params.clickAfter ? { named: ['scroll_and_click'], optional: ['click'] } : {}
    case 'swipe':
      return isTap(params) ? { optional: ['click'] } : {}
    // Operators without an app of their own type a line break as the enter key.
    case 'enter_text':
      return params.submit || LINE_BREAK.test(params.text) ? { optional: ['press_key'] } : {}
    default:
      return {}
  }
}

export const actsOf = (action: Action): readonly Act[] => {
  const { type } = action
  const { named = [], optional = [] } = added(action)
  return [
    { action: type, contains: [...(ALWAYS[type] ?? []), ...named] },
    ...optional.map(act => ({ action: act, contains: [], step: type })),
    // A ref is looked for on the screen, and the answer to one that is not found shows what is there.
    ...(hasRef(action) ? [{ ...OBSERVATION, step: type }] : []),
  ]
}

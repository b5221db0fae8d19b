/** The card of every action, and the questions that are asked of them most. */
import type { Action, ActionType } from '../executions/action.ts'
import type { Cards, PerformedBy } from './card.ts'
import { APP_CARDS } from './cards/app.ts'
import { FILE_CARDS } from './cards/file.ts'
import { GESTURE_CARDS } from './cards/gesture.ts'
import { INPUT_CARDS } from './cards/input.ts'
import { OVERLAY_CARDS } from './cards/overlay.ts'
import { PAGE_CARDS } from './cards/page.ts'
import { PHONE_CARDS } from './cards/phone.ts'
import { READ_CARDS } from './cards/read.ts'
import { SCROLL_CARDS } from './cards/scroll.ts'
import { SETTING_CARDS } from './cards/setting.ts'
import { SYSTEM_CARDS } from './cards/system.ts'
import { WAIT_CARDS } from './cards/wait.ts'

const ALL = {
  ...APP_CARDS,
  ...FILE_CARDS,
  ...SETTING_CARDS,
  ...INPUT_CARDS,
  ...GESTURE_CARDS,
  ...SCROLL_CARDS,
  ...WAIT_CARDS,
  ...READ_CARDS,
  ...SYSTEM_CARDS,
  ...PHONE_CARDS,
  ...PAGE_CARDS,
  ...OVERLAY_CARDS,
} as const satisfies Cards

export const CARDS: Cards = ALL

/** A code that the step of some action may fail with. */
export type StepFailureCode = (typeof ALL)[ActionType]['failures'][number]

type AnyCard = Cards[ActionType]

/** Undefined for a type that this version does not know. */
export const cardOf = (type: string): AnyCard | undefined =>
  Object.hasOwn(CARDS, type) ? CARDS[type as ActionType] : undefined

/** True for actions that look at the device, or wait, and change nothing on it. */
export const onlyLooks = (type: string): boolean => cardOf(type)?.effect === 'looks'

/** True for actions of which it does not matter if they ran. */
export const isSafeToRepeat = (type: string): boolean => cardOf(type)?.repeat === 'safe'

export const performedBy = ({ type, params }: Action): PerformedBy => {
  const { by } = CARDS[type]
  return typeof by === 'function' ? by(params as never) : by
}

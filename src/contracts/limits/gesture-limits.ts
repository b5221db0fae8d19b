/** Limits of the actions that the host performs over the link: gestures, keys, dialogs and waits for a still screen. */

/** How long the finger rests before it moves, and how long it moves. */
export const DRAG_HOLD_MS = { min: 0, max: 10_000, default: 500 } as const
export const DRAG_MS = { min: 1, max: 10_000, default: 600 } as const
/** Above 1 the fingers part, below 1 they close. */
export const PINCH_SCALE = { min: 0.1, max: 10 } as const
export const PINCH_MS = { min: 50, max: 10_000, default: 400 } as const
/** A long click that holds for a time of its own, and clicks in a row. */
export const HOLD_MS = { min: 1, max: 10_000 } as const
export const CLICK_REPEATS = { min: 1, max: 100, default: 1 } as const
export const CLICK_REPEAT_DELAY_MS = { min: 0, max: 10_000, default: 100 } as const
/** A finger that is moved exactly: its places, and when it is at each. */
export const FINGERS = { min: 1, max: 2 } as const
export const FINGER_PLACES = { min: 2, max: 200 } as const
export const FINGERS_MS = { min: 1, max: 10_000 } as const
export const POINT_PERCENT = { min: 0, max: 100 } as const
/** The share of a target that must be on the screen. */
export const VISIBLE_PERCENT = { min: 0, max: 100 } as const
export const ERASED_CHARACTERS = { min: 1, max: 1_000, default: 50 } as const
export const IDLE_MS = { min: 1, max: 120_000, default: 5_000 } as const
export const DIALOG_ANSWER_CHARS_MAX = 200

/** A transition as one line for a person: when, which actor, what happened, what it led to. */
import type { TransitionRecord } from '../contracts/actor.ts'

const EVENT_COLUMNS = 22

export const transitionLine = ({ seq, actor, event, from, to, at }: TransitionRecord): string =>
  `${new Date(at).toISOString()}  ${seq}  ${actor}  ${event.padEnd(EVENT_COLUMNS)}  ${from || '(new)'} -> ${to}`

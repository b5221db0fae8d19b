/** A transition as one line for a person: when, which actor, what happened, what it led to. */
import type { TransitionRecord } from '../contracts/actor.ts'

const EVENT_COLUMNS = 22

/** `place` stands for `seq` where that says too little. */
export const transitionLine = (transition: TransitionRecord & { place?: string }): string => {
  const { seq, actor, event, from, to, at, place = seq } = transition
  return `${new Date(at).toISOString()}  ${place}  ${actor}  ${event.padEnd(EVENT_COLUMNS)}  ${from || '(new)'} -> ${to}`
}

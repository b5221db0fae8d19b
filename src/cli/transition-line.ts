/** A transition as one line for a person: when, which actor, what happened, what it led to. */
import type { TransitionRecord } from '../contracts/actor.ts'
import type { JournalRecord } from '../contracts/journal.ts'
import { POLICY_LOG } from '../contracts/machines.ts'
import { toTransition } from '../runtime/transitions.ts'

const EVENT_COLUMNS = 22

/** `place` stands for `seq` where that says too little. */
export const transitionLine = (transition: TransitionRecord & { place?: string }): string => {
  const { seq, actor, event, from, to, at, place = seq } = transition
  return `${new Date(at).toISOString()}  ${place}  ${actor}  ${event.padEnd(EVENT_COLUMNS)}  ${from || '(new)'} -> ${to}`
}

export const placeLine = (executionId: string, deviceId: string, place: number): string =>
  `execution ${executionId} waits for device ${deviceId}: place ${place} in its queue`

/** Words of callers and of the policy file stay on the line. */
const shown = (value: unknown) => (/^[\w.:*@/-]+$/.test(String(value)) ? String(value) : JSON.stringify(value))

const DENIAL_MEMBERS = ['rule', 'effect', 'action', 'contained', 'package', 'skill', 'deviceId', 'caller']

/** With what a refusal of the policy was about: its log has one state only. */
export const recordLine = (record: JournalRecord): string => {
  const line = transitionLine(toTransition(record))
  if (record.machine !== POLICY_LOG) return line
  const { event } = record
  const told = DENIAL_MEMBERS.filter(name => event[name] !== undefined).map(name => `${name}=${shown(event[name])}`)
  return [line, ...told].join('  ')
}

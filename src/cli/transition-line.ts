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

/** The members of an event that its line shows, for machines whose states do not say what it is about: the log of the policy has one state, and a session one for all commands. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  [POLICY_LOG]: ['rule', 'effect', 'action', 'contained', 'package', 'skill', 'deviceId', 'caller'],
  session: ['method', 'path', 'error', 'deviceId', 'what', 'code', 'executionId'],
}

/** With the members of the event that say what it is about. */
export const recordLine = (record: JournalRecord): string => {
  const { machine, event } = record
  const names = (Object.hasOwn(TOLD, machine) && TOLD[machine]) || []
  const told = names.filter(name => event[name] !== undefined && event[name] !== null)
  return [transitionLine(toTransition(record)), ...told.map(name => `${name}=${shown(event[name])}`)].join('  ')
}

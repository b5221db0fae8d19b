/** A transition as one line for a person: when, which actor, what happened, what it led to. */
import type { TransitionRecord } from '../../../contracts/records/actor.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { POLICY_LOG } from '../../../contracts/records/machines.ts'
import { toTransition } from '../../../runtime/transitions.ts'

const EVENT_COLUMNS = 22

/** `place` stands for `seq` where that says too little. */
export const transitionLine = (transition: TransitionRecord & { place?: string }): string => {
  const { seq, actor, event, from, to, at, place = seq } = transition
  return `${new Date(at).toISOString()}  ${place}  ${actor}  ${event.padEnd(EVENT_COLUMNS)}  ${from || '(new)'} -> ${to}`
}

export const placeLine = (executionId: string, deviceId: string, place: number): string =>
  `execution ${executionId} waits for device ${deviceId}: place ${place} in its queue`

/** Words of callers and of the policy file stay on the line. */
const shownValue = (value: unknown) => (/^[\w.:*@/-]+$/.test(String(value)) ? String(value) : JSON.stringify(value))

/** The members of an event that its line shows, for machines whose states do not say what it is about: the log of the policy has one state, and a session one for all commands. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  [POLICY_LOG]: ['rule', 'effect', 'action', 'contained', 'package', 'skill', 'deviceId', 'caller'],
  // The finding decides whether a request begins or is refused; the failure says why it ends.
  emulator: ['finding', 'serial', 'tool', 'code', 'message'],
  session: ['method', 'path', 'error', 'deviceId', 'what', 'code', 'executionId'],
}

const toldOf = ({ machine, event }: JournalRecord): [name: string, value: unknown][] => {
  const names = (Object.hasOwn(TOLD, machine) && TOLD[machine]) || []
  return names.flatMap((name): [string, unknown][] => {
    const value = event[name]
    return value === undefined || value === null ? [] : [[name, value]]
  })
}

/** With the members of the event that say what it is about. */
export const recordLine = (record: JournalRecord): string =>
  [transitionLine(toTransition(record)), ...toldOf(record).map(([name, value]) => `${name}=${shownValue(value)}`)].join(
    '  ',
  )

/** The same as JSON: these members are in `details`. */
export const recordJson = (record: JournalRecord): string => {
  const details = toldOf(record)
  return JSON.stringify({
    ...toTransition(record),
    ...(details.length > 0 ? { details: Object.fromEntries(details) } : {}),
  })
}

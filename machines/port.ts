/** The only seam between a machine and the outside: a named, typed actor that the host provides. */
import { type EventObject, fromCallback, type NonReducibleUnknown } from 'xstate'
import { because, type EdgeMeta } from './rows.ts'

/** Declares a port. Folding never runs it; a host that forgot to provide it finds out at once. */
export const port = <Input extends NonReducibleUnknown>(name: string) =>
  fromCallback<EventObject, Input>(() => {
    throw new Error(`port ${name} is not provided`)
  })

/**
 * Fires `deadline.passed` once, so long after an event of the machine. `since` is the stamp of that event: the wall clock
 * may be set meanwhile, so the host measures from the event and not to a time of day.
 */
export interface DeadlineInput {
  since: number
  ms: number
}

/** The action of transitions that only take note of an event. A live machine is not asked to take such a step. */
export const ignore = () => {}

/** Root transitions for events that come too late to matter: accepted, recorded, and changing nothing. */
export const strays = <const T extends string>(types: readonly T[], reason: string) =>
  Object.fromEntries(
    types.map(type => [type, { actions: 'ignore', meta: { ...because(reason), stray: true } satisfies EdgeMeta }]),
  ) as unknown as Record<T, { actions: 'ignore'; meta: EdgeMeta }>

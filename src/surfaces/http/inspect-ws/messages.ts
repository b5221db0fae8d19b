/** Writes the messages about an actor for an inspector of xstate, in the shapes of `@statelyai/inspect`. */
import { CATALOGUE, type MachineName } from '../../../../machines/catalogue.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import type { FoldedActor } from '../../../runtime/fold.ts'

/** The version of `@statelyai/inspect` whose messages these are. */
export const INSPECT_VERSION = '0.7.2'

export const INSPECT_PATH = '/inspect-ws'

type Snapshot = FoldedActor['snapshot']

/** Named like the function, as that package writes it; xstate itself names what it can by strings. */
const withoutFunctions = (_: string, value: unknown) =>
  typeof value === 'function' ? { type: (value as { name: string }).name } : value

const definitions = new Map<string, string>()

const definitionOf = (machine: MachineName): string => {
  const known = definitions.get(machine)
  if (known !== undefined) return known
  const text = JSON.stringify(CATALOGUE[machine].logic.config, withoutFunctions)
  definitions.set(machine, text)
  return text
}

const common = ({ actor, at }: Pick<JournalRecord, 'actor' | 'at'>) => ({
  sessionId: actor,
  rootId: actor,
  id: null,
  createdAt: `${at}`,
  _version: INSPECT_VERSION,
})

/** Before anything else is said of an actor. */
export const actorMessage = (record: JournalRecord, snapshot: Snapshot): string =>
  JSON.stringify({
    type: '@xstate.actor',
    name: record.actor,
    ...common(record),
    definition: definitionOf(record.machine as MachineName),
    snapshot: snapshot ?? { status: 'active' },
  })

export const eventMessage = (record: JournalRecord): string =>
  JSON.stringify({ type: '@xstate.event', event: record.event, ...common(record) })

/** Undefined when nothing is known of the state. */
export const snapshotMessage = (record: JournalRecord, snapshot: Snapshot): string | undefined =>
  snapshot && JSON.stringify({ type: '@xstate.snapshot', event: record.event, snapshot, ...common(record) })

/** The list of actors as the viewer shows it: each with the time it entered its state, and with what it works on. */

import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { ActorWork, ViewedActor } from '../../contracts/doors/viewer.ts'
import { titleOf } from '../../contracts/executions/action-words.ts'
import { isBegun } from '../../contracts/executions/begun-execution.ts'
import { VIEWER_ACTORS_MAX } from '../../contracts/limits/limits.ts'
import type { JournalRecord, StoredEvent } from '../../contracts/records/journal.ts'
import { WATCHED_NAMES } from '../../contracts/records/machines.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import { phoneOfActor } from './actor-phone.ts'
import { requestedExecution } from './trace-steps.ts'

/** Between the request for an execution and now lie its segments, requests that were refused, and those that wait. */
const LOOK_BACK = 128

const WORK_KEYS = ['executionId', 'commandId', 'skillRunId', 'skillId', 'deviceId'] as const

const workOf = (event: StoredEvent): ActorWork =>
  Object.fromEntries(WORK_KEYS.flatMap(key => (typeof event[key] === 'string' ? [[key, event[key]]] : [])))

const isRequest = (record: JournalRecord) => isBegun(record) || record.event.type === 'run.requested'

/** A skill run begins with its creation and its request. */
const beginningOf = (journal: Journal, { actor }: JournalRecord) =>
  journal.records({ actor, fromN: 1, limit: 1, passesDamage: true })[0]

const requestOf = (journal: Journal, newest: JournalRecord, records: readonly JournalRecord[]) =>
  newest.machine === 'skill-run' ? beginningOf(journal, newest) : records.findLast(isRequest)

/** The newest records, from which the rest can be told. */
const looked = (journal: Journal, newest: JournalRecord): readonly JournalRecord[] => {
  const { actor, n, from, to, tags } = newest
  const isTold = from !== to && !tags.includes(IN_FLIGHT)
  return isTold
    ? [newest]
    : journal.records({ actor, fromN: Math.max(0, n - LOOK_BACK), limit: LOOK_BACK + 1, passesDamage: true })
}

const titleFrom = (journal: Journal, request: JournalRecord): string =>
  titleOf(readableOr(undefined, () => requestedExecution(journal, [request]))?.actions ?? [])

const viewed = (journal: Journal, newest: JournalRecord): ViewedActor => {
  const { actor, machine, to, tags, at, seq } = newest
  const records = looked(journal, newest)
  const entered = records.findLast(record => record.from !== record.to)
  const request = requestOf(journal, newest, records)
  const work = { ...workOf((request ?? newest).event), ...phoneOfActor(journal, newest) }
  const title = machine === 'device' && request && tags.includes(IN_FLIGHT) ? titleFrom(journal, request) : ''
  const titledWork = title === '' ? work : { ...work, title }
  return { id: actor, machine, state: to, tags, updatedAt: at, seq, since: entered?.at ?? at, work: titledWork }
}

/** The most recent ones. */
export const viewedActors = (journal: Journal, most = VIEWER_ACTORS_MAX): { actors: ViewedActor[]; older: boolean } => {
  const found = WATCHED_NAMES.flatMap(machine => journal.actors({ machine, limit: most + 1 })).sort(
    (a, b) => b.seq - a.seq,
  )
  const actors = found.slice(0, most).map(newest => viewed(journal, newest))
  return { actors, older: found.length > most }
}

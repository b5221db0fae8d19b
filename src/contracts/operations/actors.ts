/** Requests about actors and the events of executions: what there is, what happened, and what happens. */

import { EventsQuery, HistoryQuery, TransitionsQuery } from '../doors/http.ts'
import { ExecutionData, HeartbeatData, ResultData } from '../doors/sse.ts'
import { ActorRecordsResponse, RecordBodyResponse } from '../doors/viewer.ts'
import { GapData } from '../fleet-log.ts'
import * as actor from '../records/actor.ts'
import { LAST_EVENT_ID_HEADER, type OperationGroup } from './operation.ts'

const READ_FAILURES = ['ACTOR_NOT_FOUND', 'JOURNAL_UNAVAILABLE'] as const
const FOLLOW_FAILURES = ['INVALID_QUERY', 'JOURNAL_UNAVAILABLE', 'FLEET_UNREACHABLE'] as const

export const actors = {
  'outcomes.follow': {
    tag: 'Events',
    summary: 'The outcomes of executions sent to this server, or to its fleet, as server-sent events.',
    query: EventsQuery,
    headers: { [LAST_EVENT_ID_HEADER]: 'Resumes after that event, also across a restart.' },
    answers: {
      events: {
        heartbeat: HeartbeatData,
        'svc:result': ResultData,
        'svc:execution': ExecutionData,
        'svc:gap': GapData,
      },
    },
    failures: FOLLOW_FAILURES,
  },
  'actors.list': {
    tag: 'Actors',
    summary: 'Live and recent actors, most recent first.',
    answers: actor.ActorsResponse,
    failures: ['JOURNAL_UNAVAILABLE'],
  },
  'actors.follow': {
    tag: 'Actors',
    summary: 'Every transition of every actor as it is recorded, on this host or in its fleet, as server-sent events.',
    query: TransitionsQuery,
    headers: { [LAST_EVENT_ID_HEADER]: 'Resumes after that transition.' },
    answers: { events: { 'svc:transition': actor.TransitionRecord, 'svc:gap': GapData } },
    failures: FOLLOW_FAILURES,
  },
  'actors.get': { tag: 'Actors', summary: 'One actor.', answers: actor.ActorResponse, failures: READ_FAILURES },
  'actors.history': {
    tag: 'Actors',
    summary: 'The recorded events of an actor, oldest first.',
    query: HistoryQuery,
    answers: actor.ActorHistoryResponse,
    failures: ['INVALID_QUERY', ...READ_FAILURES],
  },
  'actors.records': {
    tag: 'Viewer',
    summary: 'The records of an actor as the journal has them, oldest first: what a fold needs.',
    query: HistoryQuery,
    answers: ActorRecordsResponse,
    failures: ['INVALID_QUERY', ...READ_FAILURES],
  },
  'actors.recordBody': {
    tag: 'Viewer',
    summary: 'The body of a record: the execution that was asked for, the envelope that came back.',
    answers: RecordBodyResponse,
    failures: ['NOT_FOUND', ...READ_FAILURES],
  },
} as const satisfies OperationGroup

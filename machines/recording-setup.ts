/** The vocabulary of the recording machine: its context, what it emits, its ports, actions and guards. */
import { assign, emit, setup } from 'xstate'
import type { RecordingEvent, RecordingOptions } from '../src/contracts/events/recording.ts'
import { type DeadlineInput, port } from './port.ts'

/** Why a recording ended. */
export type RecordingReason = 'stopped' | 'time' | 'host_ended' | 'host_died' | 'failed'

export interface RecordingFailure {
  code: string
  message: string
  details: unknown
}

export interface RecordingContext {
  /** The serial by which the debug bridge lists the device. */
  deviceId: string
  recordingId: string | null
  options: RecordingOptions | null
  /** The request to start that has no answer yet. */
  startId: string | null
  /** Requests that wait for the end. */
  stopIds: readonly string[]
  since: number
  segment: number
  saved: number
  bytes: number
  reason: RecordingReason | null
  failure: RecordingFailure | null
}

export type RecordingEmitted =
  | { type: 'recording.started'; requestIds: readonly string[]; recordingId: string }
  | { type: 'recording.ended'; requestIds: readonly string[]; recordingId: string; failure: RecordingFailure | null }
  | ({ type: 'recording.refused'; requestIds: readonly string[] } & RecordingFailure)

export interface RecordInput {
  recordingId: string
  deviceId: string
  since: number
  options: RecordingOptions
}

export interface FinishInput {
  recordingId: string
  deviceId: string
  reason: RecordingReason
  failure: RecordingFailure | null
}

/** One more request that waits for the same end is refused. */
const WAITING_MAX = 100

const BROKEN: RecordingFailure = { code: 'RECORDING_FAILED', message: 'The recorder broke.', details: null }

const requestIdIn = (event: RecordingEvent): readonly string[] => ('requestId' in event ? [event.requestId] : [])

/** All who are told of the end. */
const waitingOf = ({ startId, stopIds }: RecordingContext): readonly string[] => [
  ...(startId === null ? [] : [startId]),
  ...stopIds,
]

export const recordingSetup = setup({
  types: {
    context: {} as RecordingContext,
    events: {} as RecordingEvent,
    emitted: {} as RecordingEmitted,
    input: {} as { deviceId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    record: port<RecordInput>('record'),
    finish: port<FinishInput>('finish'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    begin: assign(({ context, event }) =>
      event.type === 'start.requested'
        ? {
            ...context,
            deviceId: event.deviceId,
            recordingId: event.recordingId,
            options: event.options,
            startId: event.requestId,
            stopIds: [],
            since: event.at,
            segment: 0,
            saved: 0,
            bytes: 0,
            reason: null,
            failure: null,
          }
        : context,
    ),
    tellStart: emit(({ context: { startId, recordingId } }) => ({
      type: 'recording.started' as const,
      requestIds: startId === null ? [] : [startId],
      recordingId: recordingId ?? '',
    })),
    noteSegment: assign(({ context, event }) =>
      event.type === 'segment.started' ? { ...context, segment: event.segment, startId: null } : context,
    ),
    countSaved: assign(({ context, event }) =>
      event.type === 'segment.saved'
        ? { ...context, saved: context.saved + 1, bytes: context.bytes + event.bytes }
        : context,
    ),
    endAs: assign((_, { reason }: { reason: RecordingReason }) => ({ reason })),
    join: assign(({ context, event }) => ({ stopIds: [...context.stopIds, ...requestIdIn(event)] })),
    keepFailure: assign(({ event }) => {
      if (event.type === 'recorder.failed') {
        const { code, message, details } = event
        return { reason: 'failed' as const, failure: { code, message, details } }
      }
      const message = 'message' in event ? event.message : BROKEN.message
      return { reason: 'failed' as const, failure: { ...BROKEN, message } }
    }),
    tellEnd: emit(({ context }) => ({
      type: 'recording.ended' as const,
      requestIds: waitingOf(context),
      recordingId: context.recordingId ?? '',
      failure: context.failure,
    })),
    /** The failure is not kept: the recording is saved when the phone is back. */
    tellLeft: emit(({ context, event }) => ({
      type: 'recording.ended' as const,
      requestIds: waitingOf(context),
      recordingId: context.recordingId ?? '',
      failure: context.failure ?? { ...BROKEN, message: 'message' in event ? event.message : BROKEN.message },
    })),
    forgetCallers: assign({ startId: null, stopIds: [] }),
    noteDeath: assign({ reason: 'host_died' }),
    refuse: emit(({ event }, { code, message }: { code: string; message: string }) => ({
      type: 'recording.refused' as const,
      requestIds: requestIdIn(event),
      code,
      message,
      details: null,
    })),
    refuseOther: emit(({ context, event }) => ({
      type: 'recording.refused' as const,
      requestIds: requestIdIn(event),
      code: 'RECORDING_IN_PROGRESS',
      message: `The screen of ${context.deviceId} is being recorded already.`,
      details: { recordingId: context.recordingId },
    })),
    ignore: () => {},
  },
  guards: {
    hasFailed: ({ context }) => context.failure !== null,
    isFull: ({ context }) => context.stopIds.length >= WAITING_MAX,
  },
})

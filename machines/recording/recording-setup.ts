/** The vocabulary of the recording machine: its context, what it emits, its ports, actions and guards. */
import { assign, emit, setup } from 'xstate'
import type { RecordingEvent, RecordingOptions } from '../../src/contracts/events/recording.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'

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
  /** The reservation whose holder asked for it. */
  leaseId: string | null
  since: number
  segment: number
  saved: number
  bytes: number
  reason: RecordingReason | null
  failure: RecordingFailure | null
}

export type RecordingEmitted =
  /** The phone records. */
  | { type: 'recording.started'; recordingId: string }
  /** For all who wait for it: a device has one recording at a time. */
  | { type: 'recording.ended'; recordingId: string; failure: RecordingFailure | null }
  | ({ type: 'recording.refused'; requestId: string } & RecordingFailure)

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

const BROKEN: RecordingFailure = { code: 'RECORDING_FAILED', message: 'The recorder broke.', details: null }

const requestIdIn = (event: RecordingEvent): string => ('requestId' in event ? event.requestId : '')

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
            leaseId: event.leaseId ?? null,
            since: event.at,
            segment: 0,
            saved: 0,
            bytes: 0,
            reason: null,
            failure: null,
          }
        : context,
    ),
    tellStart: emit(({ context }) => ({
      type: 'recording.started' as const,
      recordingId: context.recordingId ?? '',
    })),
    noteSegment: assign(({ context, event }) =>
      event.type === 'segment.started' ? { ...context, segment: event.segment } : context,
    ),
    countSaved: assign(({ context, event }) =>
      event.type === 'segment.saved'
        ? { ...context, saved: context.saved + 1, bytes: context.bytes + event.bytes }
        : context,
    ),
    endAs: assign((_, { reason }: { reason: RecordingReason }) => ({ reason })),
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
      recordingId: context.recordingId ?? '',
      failure: context.failure,
    })),
    /** The failure is not kept: the recording is saved when the phone is back. */
    tellLeft: emit(({ context, event }) => ({
      type: 'recording.ended' as const,
      recordingId: context.recordingId ?? '',
      failure: context.failure ?? { ...BROKEN, message: 'message' in event ? event.message : BROKEN.message },
    })),
    noteDeath: assign({ reason: 'host_died' }),
    refuse: emit(({ event }, { code, message }: { code: string; message: string }) => ({
      type: 'recording.refused' as const,
      requestId: requestIdIn(event),
      code,
      message,
      details: null,
    })),
    refuseOther: emit(({ context, event }) => ({
      type: 'recording.refused' as const,
      requestId: requestIdIn(event),
      code: 'RECORDING_IN_PROGRESS',
      message: `The screen of ${context.deviceId} is being recorded already.`,
      details: { recordingId: context.recordingId },
    })),
    ignore,
  },
  guards: {
    hasFailed: ({ context }) => context.failure !== null,
  },
})

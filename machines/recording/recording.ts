/** The recording of one device's screen: segments on the phone, fetched to this host, until somebody ends it. */
import { strays } from '../port.ts'
import { because } from '../rows.ts'
import { recordingSetup } from './recording-setup.ts'

const endAs = (reason: 'stopped' | 'time' | 'host_ended') => ({ type: 'endAs' as const, params: { reason } })
const refuse = (code: string, message: string) => ({ type: 'refuse' as const, params: { code, message } })

const notRunning = {
  actions: refuse('RECORDING_NOT_RUNNING', 'The screen is not being recorded.'),
  meta: because('there is nothing to stop'),
} as const

const start = {
  target: '#recording.recording',
  actions: 'begin',
  meta: because('one recording of a device at a time; executions run beside it'),
} as const

const saved = { actions: 'countSaved', meta: because('what is on this host is not lost with the phone') } as const

const segmentStarted = (target?: 'running') =>
  ({
    ...(target ? { target } : {}),
    actions: ['tellStart', 'noteSegment'],
    meta: because('whoever asked to record is answered once the phone does'),
  }) as const

const recording = recordingSetup.createStateConfig({
  description: 'The phone records, one segment after the other; those that have ended are fetched.',
  tags: ['in-flight'],
  initial: 'starting',
  invoke: [
    {
      id: 'record',
      src: 'record',
      input: ({ context: { recordingId, deviceId, since, options } }) => ({
        recordingId: recordingId ?? '',
        deviceId,
        since,
        options: options ?? { forMs: 0, segmentMs: 0, bitRate: 0, size: null },
      }),
    },
    {
      id: 'time',
      src: 'deadline',
      input: ({ context: { since, options } }) => ({ since, ms: options?.forMs ?? 0 }),
    },
  ],
  on: {
    'start.requested': { actions: 'refuseOther', meta: because('one recording of a device at a time') },
    'repair.requested': { actions: 'refuseOther', meta: because('its host lives') },
    'segment.ended': { actions: 'ignore', meta: because('the time of each segment is on record') },
    'segment.saved': saved,
    'stop.requested': {
      target: 'stopping',
      actions: endAs('stopped'),
      meta: because('whoever stops it waits for the files'),
    },
    'deadline.passed': {
      target: 'stopping',
      actions: endAs('time'),
      meta: because('a recording that nobody stops ends by itself'),
    },
    'host.closing': {
      target: 'stopping',
      actions: endAs('host_ended'),
      meta: because('a process that ends leaves nothing on the phone'),
    },
    'recorder.failed': {
      target: 'stopping',
      actions: 'keepFailure',
      meta: because('what was recorded before is kept, and the phone is cleared'),
    },
    'port.failed': {
      target: 'stopping',
      actions: 'keepFailure',
      meta: because('what was recorded before is kept, and the phone is cleared'),
    },
    'request.interrupted': {
      target: 'failed.unfinished',
      actions: 'noteDeath',
      meta: because('the host has died; the next one fetches what it left on the phone'),
    },
  },
  states: {
    starting: {
      description: 'The first segment is started.',
      on: { 'segment.started': segmentStarted('running') },
    },
    running: {
      description: 'The phone records.',
      on: {
        'segment.started': segmentStarted(),
        'link.lost': {
          target: 'unlinked',
          meta: because('the phone records on by itself until the segment ends'),
        },
      },
    },
    unlinked: {
      description: 'The link to the phone is lost, and looked for.',
      on: {
        'link.restored': { target: 'running', meta: because('what was recorded meanwhile is fetched') },
        'segment.started': segmentStarted('running'),
      },
    },
  },
})

const stopping = recordingSetup.createStateConfig({
  description:
    'screenrecord is interrupted, so that its file is whole; what is left is fetched, and the phone cleared.',
  tags: ['in-flight'],
  invoke: {
    id: 'finish',
    src: 'finish',
    input: ({ context: { recordingId, deviceId, reason, failure } }) => ({
      recordingId: recordingId ?? '',
      deviceId,
      reason: reason ?? 'failed',
      failure,
    }),
  },
  on: {
    'start.requested': { actions: 'refuseOther', meta: because('one recording of a device at a time') },
    'repair.requested': { actions: 'ignore', meta: because('it is being done') },
    'stop.requested': { actions: 'ignore', meta: because('one end for all who ask for it') },
    'segment.saved': saved,
    'phone.cleared': [
      {
        guard: 'hasFailed',
        target: 'failed.settled',
        actions: 'tellEnd',
        meta: because('a failure is told once nothing is left on the phone'),
      },
      { target: 'saved', actions: 'tellEnd', meta: because('the manifest names every segment') },
    ],
    'phone.unreachable': {
      target: 'failed.unfinished',
      actions: 'tellLeft',
      meta: because('what is on the phone is fetched when it is back'),
    },
    'port.failed': {
      target: 'failed.unfinished',
      actions: 'tellLeft',
      meta: because('the next request tries again'),
    },
    'request.interrupted': {
      target: 'failed.unfinished',
      actions: 'noteDeath',
      meta: because('the host has died; the next one goes on'),
    },
  },
})

export const recordingMachine = recordingSetup.createMachine({
  id: 'recording',
  description: 'The recording of one device: segments on the phone, fetched to this host, until somebody ends it.',
  context: ({ input }) => ({
    deviceId: input?.deviceId ?? '',
    recordingId: null,
    options: null,
    leaseId: null,
    since: 0,
    segment: 0,
    saved: 0,
    bytes: 0,
    reason: null,
    failure: null,
  }),
  initial: 'idle',
  on: strays(
    [
      'segment.started',
      'segment.ended',
      'segment.saved',
      'link.lost',
      'link.restored',
      'host.closing',
      'recorder.failed',
      'phone.cleared',
      'phone.unreachable',
      'repair.requested',
      'request.interrupted',
      'deadline.passed',
      'port.failed',
    ],
    'the recording is past the point this event speaks of',
  ),
  states: {
    idle: {
      description: 'Nothing was recorded yet.',
      on: { 'start.requested': start, 'stop.requested': notRunning },
    },
    recording,
    stopping,
    saved: {
      description: 'The last recording is on this host.',
      on: { 'start.requested': start, 'stop.requested': notRunning },
    },
    failed: {
      description: 'The last recording failed, or its host died.',
      initial: 'settled',
      on: { 'stop.requested': notRunning },
      states: {
        settled: {
          description: 'Nothing of it is left on the phone.',
          on: { 'start.requested': start },
        },
        unfinished: {
          description: 'Something of it may be left on the phone.',
          on: {
            'start.requested': {
              actions: 'refuseOther',
              meta: because('what the last one left on the phone is fetched first'),
            },
            'repair.requested': {
              target: '#recording.stopping',
              meta: because('the phone is looked at again'),
            },
          },
        },
      },
    },
  },
})

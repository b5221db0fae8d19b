/** The daemon of one device key, as whoever starts, stops or needs it sees it. */
import { assign, emit, setup } from 'xstate'
import type { DaemonEvent } from '../src/contracts/events/daemon.ts'
import { port, strays } from './port.ts'
import { because, cites, type RowId } from './rows.ts'

export type DaemonAsk = 'start' | 'stop' | 'restart' | 'status' | 'missed' | 'refused' | 'differed'
export type DaemonFinding = 'managed' | 'silent' | 'foreign'

export interface DaemonContext {
  key: string
  request: { id: string; ask: DaemonAsk } | null
  pid: number | null
}

export type DaemonStatus = 'started' | 'already_running' | 'stopped' | 'not_running' | 'running' | 'unowned'

export type DaemonEmitted =
  | { type: 'daemon.reported'; requestId: string; status: DaemonStatus; pid: number | null }
  | { type: 'daemon.refused'; requestId: string; code: 'DAEMON_START_FAILED' | 'DAEMON_STOP_FAILED'; message: string }
  | { type: 'daemon.busy'; requestId: string }

export interface LaunchInput {
  key: string
  /** A socket file that nobody listens on is deleted first. */
  removeStaleSocket: boolean
}

const ASKS: Partial<Record<DaemonEvent['type'], DaemonAsk>> = {
  'start.requested': 'start',
  'stop.requested': 'stop',
  'restart.requested': 'restart',
  'status.requested': 'status',
  'socket.missed': 'missed',
  'socket.refused': 'refused',
  'identity.differed': 'differed',
}

const REQUESTS = [
  'start.requested',
  'stop.requested',
  'restart.requested',
  'status.requested',
  'socket.missed',
  'socket.refused',
  'identity.differed',
] as const satisfies readonly DaemonEvent['type'][]

const onRequest = <T>(transition: T) =>
  Object.fromEntries(REQUESTS.map(type => [type, transition])) as Record<(typeof REQUESTS)[number], T>

/** What is believed is checked first: a request in a resting state always looks at socket and metadata. */
const look = onRequest({
  target: 'busy',
  actions: 'take',
  meta: because('what is believed of a daemon is checked before it is acted on'),
} as const)

const decide = <const Target extends string>(
  ask: DaemonAsk,
  finding: DaemonFinding,
  target: Target,
  report: DaemonStatus | 'refuse' | null,
  row: RowId,
) => ({
  guard: { type: 'found' as const, params: { ask, finding } },
  target,
  actions:
    report === null
      ? []
      : report === 'refuse'
        ? [{ type: 'refuse' as const }]
        : [{ type: 'report' as const, params: { status: report } }],
  meta: cites(row),
})

export const daemon = setup({
  types: {
    context: {} as DaemonContext,
    events: {} as DaemonEvent,
    emitted: {} as DaemonEmitted,
    input: {} as { key: string },
    tags: {} as 'in-flight',
  },
  actors: {
    probe: port<{ key: string }>('probe'),
    launch: port<LaunchInput>('launch'),
    terminate: port<{ key: string }>('terminate'),
  },
  actions: {
    take: assign({
      request: ({ context, event }) => {
        const ask = ASKS[event.type]
        return ask && 'requestId' in event ? { id: event.requestId, ask } : context.request
      },
    }),
    learn: assign({ pid: ({ event }) => ('pid' in event ? event.pid : null) }),
    report: emit(({ context, event }, params: { status: DaemonStatus }) => ({
      type: 'daemon.reported' as const,
      requestId: context.request?.id ?? '',
      status: params.status,
      pid: 'pid' in event ? event.pid : context.pid,
    })),
    refuse: emit(({ context, event }) => ({
      type: 'daemon.refused' as const,
      requestId: context.request?.id ?? '',
      code: event.type === 'daemon.stuck' ? ('DAEMON_STOP_FAILED' as const) : ('DAEMON_START_FAILED' as const),
      message: 'message' in event ? event.message : 'the socket belongs to a listener that svc did not start',
    })),
    sayBusy: emit(({ event }) => ({
      type: 'daemon.busy' as const,
      requestId: 'requestId' in event ? event.requestId : '',
    })),
    ignore: () => {},
  },
  guards: {
    found: ({ context, event }, params: { ask: DaemonAsk; finding: DaemonFinding }) =>
      event.type === 'probe.answered' && event.finding === params.finding && context.request?.ask === params.ask,
    startsAgain: ({ context }) => context.request?.ask === 'restart' || context.request?.ask === 'differed',
  },
}).createMachine({
  id: 'daemon',
  description: 'The daemon of one device key, as whoever starts, stops or needs it sees it.',
  context: ({ input }) => ({ key: input?.key ?? '', request: null, pid: null }),
  initial: 'not_running',
  on: strays(
    [
      'probe.answered',
      'daemon.ready',
      'daemon.failed',
      'daemon.stopped',
      'daemon.stuck',
      'request.interrupted',
      'deadline.passed',
      'port.failed',
    ],
    'no request waits for it any more',
  ),
  states: {
    not_running: { description: 'Nobody listens, as far as was last seen.', on: look },
    running: { description: 'A managed daemon listens, as far as was last seen.', on: look },
    unowned: { description: 'Somebody else listens on the socket; it is left untouched.', on: look },
    busy: {
      description: 'One request at a time, under the lifecycle lock.',
      tags: ['in-flight'],
      initial: 'probing',
      on: {
        ...onRequest({
          actions: 'sayBusy',
          meta: because('one request at a time; the lifecycle lock makes others wait'),
        } as const),
        'request.interrupted': {
          target: 'not_running',
          meta: because('whoever asked has died; the next request looks again'),
        },
        'port.failed': { target: 'not_running', actions: 'refuse', meta: cites('daemon.start-failed') },
      },
      states: {
        probing: {
          description: 'Socket and metadata are compared with live processes.',
          invoke: { id: 'probe', src: 'probe', input: ({ context }) => ({ key: context.key }) },
          on: {
            'probe.answered': [
              decide('start', 'managed', '#daemon.running', 'already_running', 'daemon.start-live'),
              decide('start', 'silent', 'starting', null, 'daemon.start'),
              decide('start', 'foreign', '#daemon.unowned', 'refuse', 'daemon.start-failed'),
              decide('stop', 'managed', 'stopping', null, 'daemon.stop'),
              decide('stop', 'silent', '#daemon.not_running', 'not_running', 'daemon.stop-nothing'),
              decide('stop', 'foreign', '#daemon.unowned', 'not_running', 'daemon.stop-nothing'),
              decide('restart', 'managed', 'stopping', null, 'daemon.restart'),
              decide('restart', 'silent', 'starting', null, 'daemon.restart'),
              decide('restart', 'foreign', '#daemon.unowned', 'refuse', 'daemon.start-failed'),
              decide('status', 'managed', '#daemon.running', 'running', 'daemon.status-running'),
              decide('status', 'silent', '#daemon.not_running', 'not_running', 'daemon.status-silent'),
              decide('status', 'foreign', '#daemon.unowned', 'unowned', 'daemon.status-unowned'),
              decide('missed', 'managed', '#daemon.running', 'running', 'daemon.socket-missing'),
              decide('missed', 'silent', 'starting', null, 'daemon.socket-missing'),
              decide('missed', 'foreign', '#daemon.unowned', 'unowned', 'proxy.foreign'),
              decide('refused', 'managed', '#daemon.running', 'running', 'daemon.socket-refused'),
              decide('refused', 'silent', 'starting', null, 'daemon.socket-refused'),
              decide('refused', 'foreign', '#daemon.unowned', 'unowned', 'proxy.foreign'),
              decide('differed', 'managed', 'stopping', null, 'daemon.differs'),
              decide('differed', 'silent', 'starting', null, 'daemon.differs'),
              decide('differed', 'foreign', '#daemon.unowned', 'unowned', 'proxy.foreign'),
            ],
          },
        },
        starting: {
          description: 'The run process is spawned and asked for /ping.',
          invoke: {
            id: 'launch',
            src: 'launch',
            input: ({ context }) => ({ key: context.key, removeStaleSocket: context.request?.ask === 'refused' }),
          },
          on: {
            'daemon.ready': {
              target: '#daemon.running',
              actions: ['learn', { type: 'report', params: { status: 'started' } }],
              meta: cites('daemon.start'),
            },
            'daemon.failed': {
              target: '#daemon.not_running',
              actions: 'refuse',
              meta: cites('daemon.start-failed'),
            },
          },
        },
        stopping: {
          description: 'The managed process is asked to end, then made to.',
          invoke: { id: 'terminate', src: 'terminate', input: ({ context }) => ({ key: context.key }) },
          on: {
            'daemon.stopped': [
              { guard: 'startsAgain', target: 'starting', meta: cites('daemon.restart', 'daemon.differs') },
              {
                target: '#daemon.not_running',
                actions: { type: 'report', params: { status: 'stopped' } },
                meta: cites('daemon.stop'),
              },
            ],
            'daemon.stuck': { target: '#daemon.running', actions: 'refuse', meta: cites('daemon.stop-failed') },
          },
        },
      },
    },
  },
})

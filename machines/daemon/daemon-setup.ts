/** The vocabulary of the machine `daemon`: its context, what it says, and what it asks of the outside. */
import { assign, emit, setup } from 'xstate'
import type { DaemonEvent } from '../../src/contracts/events/daemon.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'

export type DaemonAsk = 'start' | 'stop' | 'restart' | 'status' | 'missed' | 'refused' | 'differed'
/** The result of probing the socket. */
export type DaemonFound = 'managed' | 'foreign' | 'silent' | 'refused' | 'absent' | 'unreachable'

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

/** The signal that ends a process. */
export interface TerminateInput {
  key: string
  signal: 'SIGTERM' | 'SIGUSR2' | 'SIGKILL'
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

/** Sums up a probe. `occupied`: somebody may listen there, leave it alone; `live`: the metadata's process lives. */
const AMOUNTS = {
  managed: found => found === 'managed',
  foreign: found => found === 'foreign',
  frozen: (found, isLive) => found === 'silent' && isLive,
  occupied: found => found === 'foreign' || found === 'silent' || found === 'unreachable',
  free: found => found === 'absent' || found === 'refused',
  live: (_, isLive) => isLive,
  anything: () => true,
} as const satisfies Record<string, (found: DaemonFound, isLive: boolean) => boolean>

/** A request, and what its probe must have found. */
export interface Finding {
  ask: DaemonAsk
  is: keyof typeof AMOUNTS
}

export interface DaemonFailure {
  code: 'DAEMON_START_FAILED' | 'DAEMON_STOP_FAILED'
  /** Used when the event has no message; `PID` stands for the process. */
  message: string
}

export const daemonSetup = setup({
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
    ready: port<{ key: string }>('ready'),
    abandon: port<{ key: string }>('abandon'),
    terminate: port<TerminateInput>('terminate'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    take: assign({
      request: ({ context, event }) => {
        const ask = ASKS[event.type]
        return ask && 'requestId' in event ? { id: event.requestId, ask } : context.request
      },
    }),
    learn: assign({ pid: ({ context, event }) => ('pid' in event ? event.pid : context.pid) }),
    forget: assign({ pid: null }),
    report: emit(({ context, event }, params: { status: DaemonStatus }) => ({
      type: 'daemon.reported' as const,
      requestId: 'requestId' in event ? event.requestId : (context.request?.id ?? ''),
      status: params.status,
      pid: 'pid' in event ? event.pid : context.pid,
    })),
    refuse: emit(({ context, event }, { code, message }: DaemonFailure) => ({
      type: 'daemon.refused' as const,
      requestId: context.request?.id ?? '',
      code,
      message: 'message' in event ? event.message : message.replace('PID', String(context.pid)),
    })),
    sayBusy: emit(({ event }) => ({
      type: 'daemon.busy' as const,
      requestId: 'requestId' in event ? event.requestId : '',
    })),
    ignore,
  },
  guards: {
    found: ({ context, event }, { ask, is }: Finding) =>
      event.type === 'probe.answered' && context.request?.ask === ask && AMOUNTS[is](event.found, event.pid !== null),
    isLastSeen: ({ context, event }) => context.pid === null || ('pid' in event && event.pid === context.pid),
    startsAgain: ({ context }) => context.request?.ask === 'restart' || context.request?.ask === 'differed',
  },
})

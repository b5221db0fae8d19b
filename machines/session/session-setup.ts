/** The vocabulary of the session machine: its context, what it emits, its ports, actions and guards. */
import { assign, emit, setup } from 'xstate'
import type { SessionEnd, SessionEvent } from '../../src/contracts/events/session.ts'
import { ignore, port } from '../port.ts'

export interface SessionFailure {
  code: string
  message: string
  /** The execution that failed, if one did. */
  executionId: string | null
}

export interface SessionContext {
  sessionId: string
  /** The phone as the client named it; null for any free one. */
  wanted: string | null
  /** So many ms without a command end the session; 0: none do. */
  idleMs: number
  deviceId: string | null
  leaseId: string | null
  since: number
  commands: number
  reason: SessionEnd | 'failed' | null
  failure: SessionFailure | null
}

export type SessionEmitted =
  | { type: 'session.ready'; sessionId: string }
  | { type: 'session.over'; sessionId: string; reason: SessionEnd | 'failed'; failure: SessionFailure | null }

export interface OpenInput {
  sessionId: string
  wanted: string | null
}

export interface WatchInput {
  sessionId: string
  idleMs: number
}

export interface KeepInput {
  sessionId: string
  leaseId: string
}

export interface CloseInput {
  sessionId: string
  leaseId: string | null
  reason: SessionEnd | 'failed'
}

const failureIn = (event: SessionEvent): SessionFailure => {
  if (event.type === 'opening.failed') {
    const { code, message, executionId } = event
    return { code, message, executionId }
  }
  if (event.type === 'lease.lost') return { code: event.code, message: event.message, executionId: null }
  const message = event.type === 'port.failed' ? event.message : 'The session broke.'
  return { code: 'INTERNAL_ERROR', message, executionId: null }
}

export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    input: {} as { sessionId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    open: port<OpenInput>('open'),
    watch: port<WatchInput>('watch'),
    keep: port<KeepInput>('keep'),
    close: port<CloseInput>('close'),
  },
  actions: {
    take: assign(({ context, event }) =>
      event.type === 'session.requested'
        ? { ...context, wanted: event.wanted, idleMs: event.idleMs, since: event.at }
        : context,
    ),
    keepPhone: assign(({ context, event }) =>
      event.type === 'phone.reserved' ? { ...context, deviceId: event.deviceId, leaseId: event.leaseId } : context,
    ),
    tellReady: emit(({ context }) => ({ type: 'session.ready' as const, sessionId: context.sessionId })),
    countCommand: assign(({ context }) => ({ commands: context.commands + 1 })),
    endAs: assign((_, { reason }: { reason: SessionEnd }) => ({ reason })),
    keepFailure: assign(({ event }) => ({ reason: 'failed' as const, failure: failureIn(event) })),
    keepLoss: assign(({ event }) => ({ reason: 'lost' as const, failure: failureIn(event) })),
    tellEnd: emit(({ context }) => ({
      type: 'session.over' as const,
      sessionId: context.sessionId,
      reason: context.reason ?? ('failed' as const),
      failure: context.failure,
    })),
    ignore,
  },
  guards: {
    endsAs: ({ context }, { reason }: { reason: SessionEnd | 'failed' }) => context.reason === reason,
  },
})

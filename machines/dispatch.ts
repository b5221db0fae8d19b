/** One proxied command: which way it goes, and what a lost answer may lead to. */
import { assign, emit, setup } from 'xstate'
import type { CommandKind, DispatchEvent } from '../src/contracts/events/dispatch.ts'
import { mayRerunDirect } from './dispatch-rules.ts'
import { port, strays } from './port.ts'
import { because, cites } from './rows.ts'

export interface DispatchContext {
  commandId: string
  kind: CommandKind
}

export type DispatchEmitted =
  | { type: 'command.answered'; commandId: string; body: unknown }
  | { type: 'command.lost'; commandId: string; message: string }
  | { type: 'command.direct'; commandId: string; rerun: boolean; message: string }

const message = (event: DispatchEvent) => ('message' in event ? event.message : event.type)

export const dispatch = setup({
  types: {
    context: {} as DispatchContext,
    events: {} as DispatchEvent,
    emitted: {} as DispatchEmitted,
    input: {} as { commandId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    ensure: port<{ commandId: string }>('ensure'),
    post: port<{ commandId: string }>('post'),
  },
  actions: {
    take: assign({
      commandId: ({ context, event }) => (event.type === 'command.given' ? event.commandId : context.commandId),
      kind: ({ context, event }) => (event.type === 'command.given' ? event.kind : context.kind),
    }),
    goDirect: emit(({ context, event }) => ({
      type: 'command.direct' as const,
      commandId: context.commandId,
      rerun: event.type === 'response.lost',
      message: message(event),
    })),
    answer: emit(({ context, event }) => ({
      type: 'command.answered' as const,
      commandId: context.commandId,
      body: event.type === 'response.received' ? event.body : undefined,
    })),
    giveUp: emit(({ context, event }) => ({
      type: 'command.lost' as const,
      commandId: context.commandId,
      message: message(event),
    })),
    ignore: () => {},
  },
  guards: {
    isDisabled: ({ event }) => event.type === 'command.given' && event.daemonDisabled,
    isRelativePath: ({ event }) => event.type === 'command.given' && event.relativePath,
    isWindows: ({ event }) => event.type === 'command.given' && event.windows,
    isPathTooLong: ({ event }) => event.type === 'command.given' && event.pathTooLong,
    mayRerun: ({ context }) => mayRerunDirect(context.kind),
    isScreenshot: ({ context }) => context.kind === 'screenshot',
    isFlat: ({ context }) => context.kind === 'flat',
  },
}).createMachine({
  id: 'dispatch',
  description: 'One proxied command: which way it goes, and what a lost answer may lead to.',
  context: ({ input }) => ({ commandId: input?.commandId ?? '', kind: 'exec' }),
  initial: 'choosing',
  on: strays(
    [
      'command.given',
      'daemon.ready',
      'daemon.foreign',
      'daemon.unready',
      'request.failed',
      'request.written',
      'response.received',
      'response.lost',
      'command.interrupted',
      'deadline.passed',
      'port.failed',
    ],
    'the command is past the point this event speaks of',
  ),
  states: {
    choosing: {
      description: 'Nothing has happened yet: the selection rules, in their order.',
      on: {
        'command.given': [
          { guard: 'isDisabled', target: 'direct', actions: ['take', 'goDirect'], meta: cites('proxy.disabled') },
          {
            guard: 'isRelativePath',
            target: 'direct',
            actions: ['take', 'goDirect'],
            meta: cites('proxy.relative-path'),
          },
          { guard: 'isWindows', target: 'direct', actions: ['take', 'goDirect'], meta: cites('proxy.windows') },
          {
            guard: 'isPathTooLong',
            target: 'direct',
            actions: ['take', 'goDirect'],
            meta: because('a socket path over the limit is never bound or connected'),
          },
          { target: 'ensuring', actions: 'take', meta: because('no rule sends it direct: a daemon is needed') },
        ],
      },
    },
    ensuring: {
      description: 'A daemon of this build is looked for, started or replaced.',
      tags: ['in-flight'],
      invoke: { id: 'ensure', src: 'ensure', input: ({ context }) => ({ commandId: context.commandId }) },
      on: {
        'daemon.ready': { target: 'sending', meta: cites('proxy.post') },
        'daemon.foreign': { target: 'direct', actions: 'goDirect', meta: cites('proxy.foreign') },
        'daemon.unready': { target: 'direct', actions: 'goDirect', meta: cites('proxy.not-ready') },
        'deadline.passed': { target: 'direct', actions: 'goDirect', meta: cites('proxy.not-ready') },
        'port.failed': { target: 'direct', actions: 'goDirect', meta: cites('proxy.not-ready') },
        'command.interrupted': { target: 'lost', meta: because('the caller died before anything was sent') },
      },
    },
    sending: {
      description: 'The request is being written, or its answer awaited.',
      tags: ['in-flight'],
      initial: 'ready',
      invoke: { id: 'post', src: 'post', input: ({ context }) => ({ commandId: context.commandId }) },
      states: {
        ready: {
          description: 'No byte of the body has left yet.',
          on: {
            'request.written': { target: 'sent', meta: because('from here on the daemon may have executed it') },
            'request.failed': { target: '#dispatch.direct', actions: 'goDirect', meta: cites('proxy.failed-before') },
            'deadline.passed': { target: '#dispatch.direct', actions: 'goDirect', meta: cites('proxy.failed-before') },
            'port.failed': { target: '#dispatch.direct', actions: 'goDirect', meta: cites('proxy.failed-before') },
            'command.interrupted': {
              target: '#dispatch.lost',
              meta: because('the caller died before anything was sent'),
            },
          },
        },
        sent: {
          description: 'The body was written: the daemon may have executed it.',
          on: {
            'response.received': { target: '#dispatch.answered', actions: 'answer', meta: cites('proxy.post') },
            'response.lost': [
              {
                guard: 'mayRerun',
                target: '#dispatch.direct',
                actions: 'goDirect',
                meta: cites('proxy.lost-snapshot'),
              },
              {
                guard: 'isScreenshot',
                target: '#dispatch.lost',
                actions: 'giveUp',
                meta: cites('proxy.lost-screenshot'),
              },
              { guard: 'isFlat', target: '#dispatch.lost', actions: 'giveUp', meta: cites('proxy.lost-flat') },
              { target: '#dispatch.lost', actions: 'giveUp', meta: cites('proxy.lost-exec') },
            ],
            'deadline.passed': {
              target: '#dispatch.lost',
              actions: 'giveUp',
              meta: because('an answer that does not come in time is lost, and is not asked for again'),
            },
            'port.failed': {
              target: '#dispatch.lost',
              actions: 'giveUp',
              meta: because('a client that breaks after the write leaves the same doubt'),
            },
            'command.interrupted': {
              target: '#dispatch.lost',
              meta: because('the caller died while it waited for the answer'),
            },
          },
        },
      },
    },
    answered: { description: 'The daemon answered.', type: 'final' },
    lost: { description: 'No answer, and no second try: DAEMON_PROXY_ERROR.', type: 'final' },
    direct: { description: 'The command runs in the calling process.', type: 'final' },
  },
})

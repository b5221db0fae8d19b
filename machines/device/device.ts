/** One device: at most one execution at a time, and always an answer to what became of it. */
import { LATE_ANSWER_MS } from '../../src/contracts/limits/limits.ts'
import { strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import { acceptDeadline, deviceSetup, dispatchDeadline } from './device-setup.ts'

export const device = deviceSetup.createMachine({
  id: 'device',
  description: 'One device: at most one execution at a time, and always an answer to what became of it.',
  context: ({ input }) => ({ serial: input?.serial ?? '', current: null, queue: [], doubts: [] }),
  initial: 'idle',
  on: {
    ...strays(
      [
        'execution.dispatched',
        'execution.progressed',
        'execution.settled',
        'execution.cancelled',
        'execution.interrupted',
        'deadline.passed',
        'port.failed',
      ],
      'it speaks of an execution that is over',
    ),
    'execution.queued': [
      { guard: 'mayJoin', actions: 'join', meta: cites('device.waiting') },
      { actions: 'refuse', meta: because('the queue is bounded, and a request has one place in it') },
    ],
    'execution.left': [
      { guard: 'isWaiting', actions: 'leave', meta: cites('device.left') },
      { actions: 'ignore', meta: because('it was accepted, or has left already') },
    ],
    'execution.evidenced': [
      { guard: 'isNews', actions: 'learn', meta: cites('device.evidenced') },
      {
        actions: 'ignore',
        meta: because('what is known of an execution changes no more, and it may be in doubt no longer'),
      },
    ],
  },
  states: {
    idle: {
      description: 'Free: nobody holds the lease on account of an execution. The first that waits may take it.',
      entry: 'release',
      on: {
        'execution.requested': [
          {
            guard: 'mayRun',
            target: 'running',
            actions: ['accept', 'confirm'],
            meta: cites('device.requested', 'device.waiting'),
          },
          { actions: 'refuse', meta: because('others wait for the device, or it has left the queue itself') },
        ],
      },
    },
    running: {
      description: 'One execution owns the device and its lease.',
      tags: ['in-flight'],
      initial: 'accepted',
      invoke: {
        id: 'operator',
        src: 'operator',
        input: ({ context, event }) => ({
          executionId: context.current?.executionId ?? '',
          body: event.type === 'execution.requested' ? event.body : undefined,
          acceptUntil: context.current?.acceptUntil ?? 0,
          doubts: context.doubts ?? [],
        }),
      },
      on: {
        'execution.requested': { actions: 'refuse', meta: cites('device.conflict') },
        'execution.progressed': {
          guard: 'isCurrent',
          actions: 'ignore',
          meta: because('progress is for those who watch'),
        },
        'execution.evidenced': {
          guard: 'isCurrent',
          actions: 'ignore',
          meta: because('a step that has ended is on record, for whoever needs it when the envelope does not come'),
        },
        'execution.interrupted': {
          guard: 'isCurrent',
          target: 'idle',
          actions: 'answer',
          meta: cites('device.interrupted'),
        },
        'port.failed': {
          target: 'idle',
          actions: 'answer',
          meta: because('a driver that fails must still end in an answer'),
        },
      },
      states: {
        accepted: {
          description: 'Journaled; nothing was sent to the device yet.',
          invoke: {
            id: 'accept-deadline',
            src: 'deadline',
            input: ({ context }) => acceptDeadline(context.current),
          },
          on: {
            'execution.dispatched': {
              guard: 'isCurrent',
              target: 'dispatched',
              actions: 'markDispatched',
              meta: cites('device.dispatched'),
            },
            'execution.settled': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'answer',
              meta: cites('device.refused-before-dispatch'),
            },
            'execution.cancelled': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'answer',
              meta: cites('device.cancel'),
            },
            'deadline.passed': {
              target: '#device.idle',
              actions: 'answer',
              meta: because('every wait has an end: a link that never opens is given up undispatched'),
            },
          },
        },
        dispatched: {
          description: 'At least one segment is on its way: the device may have acted.',
          invoke: {
            id: 'envelope-deadline',
            src: 'deadline',
            input: ({ context }) => dispatchDeadline(context.current),
          },
          on: {
            'execution.dispatched': { guard: 'isCurrent', actions: 'markDispatched', meta: cites('device.segment') },
            'execution.settled': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'answer',
              meta: cites('device.settled'),
            },
            'execution.cancelled': {
              guard: 'isCurrent',
              target: 'draining',
              actions: ['answer', 'tellOperator'],
              meta: cites('device.cancel'),
            },
            'deadline.passed': { target: 'overdue', actions: 'tellOperator', meta: cites('device.timeout') },
          },
        },
        overdue: {
          description: 'No envelope in time; the operator port may still say what it saw.',
          invoke: {
            id: 'overdue-deadline',
            src: 'deadline',
            // Counted from now: after a gap in time the deadline is judged late, and the last look still needs its time.
            input: ({ event }) => ({ since: event.at, ms: LATE_ANSWER_MS }),
          },
          on: {
            'execution.dispatched': {
              guard: 'isCurrent',
              actions: 'tellOperator',
              meta: because('an overdue execution sends nothing further: the port is told again'),
            },
            'execution.settled': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'answer',
              meta: cites('device.timeout'),
            },
            'execution.cancelled': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'answer',
              meta: cites('device.cancel'),
            },
            'deadline.passed': { target: '#device.idle', actions: 'answer', meta: cites('device.timeout') },
          },
        },
        draining: {
          description: 'Cancelled and answered; the device may still be finishing, so its lease stays.',
          invoke: {
            id: 'drain-deadline',
            src: 'deadline',
            input: ({ context }) => ({
              since: context.current?.dispatchedAt ?? 0,
              ms: context.current?.timeoutMs ?? 0,
            }),
          },
          on: {
            'execution.dispatched': {
              guard: 'isCurrent',
              actions: 'tellOperator',
              meta: because('a cancelled execution sends nothing further: the port is told again'),
            },
            'execution.settled': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'ignore',
              meta: cites('device.cancel'),
            },
            'execution.cancelled': {
              guard: 'isCurrent',
              actions: 'ignore',
              meta: because('cancelling twice is cancelling once'),
            },
            'execution.interrupted': {
              guard: 'isCurrent',
              target: '#device.idle',
              actions: 'ignore',
              meta: because('the receipt is settled as cancelled already'),
            },
            'port.failed': {
              target: '#device.idle',
              actions: 'ignore',
              meta: because('the receipt is settled as cancelled already'),
            },
            'deadline.passed': { target: '#device.idle', actions: 'ignore', meta: cites('device.cancel') },
          },
        },
      },
    },
  },
})

/** The daemon of one device key: whether it runs, and one start, stop or replacement at a time. */
import type { DaemonEvent } from '../../src/contracts/events/daemon.ts'
import { DAEMON_READY_MS, DAEMON_REPLACE_MS, DAEMON_STOP_MS } from '../../src/contracts/limits/limits.ts'
import { strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import { ON_PROBE } from './daemon-rules.ts'
import { type DaemonContext, type DaemonFailure, daemonSetup, type TerminateInput } from './daemon-setup.ts'

const REQUESTS = [
  'start.requested',
  'stop.requested',
  'restart.requested',
  'status.requested',
  'socket.missed',
  'socket.refused',
  'identity.differed',
] as const satisfies readonly DaemonEvent['type'][]

const onEach = <Type extends string, T>(types: readonly Type[], transition: T) =>
  Object.fromEntries(types.map(type => [type, transition])) as Record<Type, T>

/** A request in a resting state always probes the socket and the metadata first, whatever the machine believes. */
const look = onEach(REQUESTS, {
  target: 'busy',
  actions: 'take',
  meta: because('the daemon is probed before anything is done about it'),
} as const)

const ENDS = [
  'daemon.idled',
  'daemon.retired',
  'daemon.unlinked',
  'daemon.unserved',
  'daemon.terminated',
] as const satisfies readonly DaemonEvent['type'][]

/** A daemon says itself that it ends, and why. Told of a predecessor, it changes nothing about its successor. */
const ended = onEach(ENDS, {
  guard: 'isLastSeen',
  target: 'not_running',
  actions: ['forget', { type: 'report', params: { status: 'stopped' } }],
  meta: because('a daemon that ends by itself says so, with the reason'),
} as const)

const endedElsewhere = onEach(ENDS, {
  actions: { type: 'report', params: { status: 'stopped' } },
  meta: { ...because('it is not the daemon that was last seen, or a request finds out by itself'), stray: true },
} as const)

const START_FAILED: DaemonFailure = { code: 'DAEMON_START_FAILED', message: 'no daemon could be started' }
const UNPROBED: DaemonFailure = { code: 'DAEMON_START_FAILED', message: 'the socket could not be probed in time' }
const FROZEN: DaemonFailure = {
  code: 'DAEMON_START_FAILED',
  message: `process PID holds the socket and did not answer /ping within ${DAEMON_READY_MS} ms`,
}
const STUCK: DaemonFailure = { code: 'DAEMON_STOP_FAILED', message: 'process PID is still there after SIGKILL' }
const AT_WORK: DaemonFailure = {
  code: 'DAEMON_STOP_FAILED',
  message: 'the daemon of another build (process PID) is at work',
}

const PROBE_MS = 2_000
/** In the remaining time to stop, the daemon records the work that it had to give up. */
const HURRY_AFTER_MS = 1_500
/** SIGKILL takes effect when the kernel gets to it; a process that waits for a disk may take longer than this. */
const KILLED_MS = 2_000

const deadline = (ms: number) => ({
  id: 'deadline',
  src: 'deadline' as const,
  input: ({ event }: { event: DaemonEvent }) => ({ since: event.at, ms }),
})

const terminate = (signal: TerminateInput['signal']) => ({
  id: 'terminate',
  src: 'terminate' as const,
  input: ({ context }: { context: DaemonContext }) => ({ key: context.key, signal }),
})

const ready = {
  target: '#daemon.running',
  actions: ['learn', { type: 'report', params: { status: 'started' } }],
  meta: cites('daemon.start'),
} as const

export const daemon = daemonSetup.createMachine({
  id: 'daemon',
  description: 'The daemon of one device key: whether it runs, and one start, stop or replacement at a time.',
  context: ({ input }) => ({ key: input?.key ?? '', request: null, pid: null }),
  initial: 'not_running',
  on: {
    ...endedElsewhere,
    ...strays(
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
  },
  states: {
    not_running: { description: 'No process listened at the last probe.', on: look },
    running: { description: 'A managed daemon listened at the last probe.', on: { ...look, ...ended } },
    unowned: { description: 'A listener that svc did not start has the socket; it is left untouched.', on: look },
    busy: {
      description: 'One request at a time, under the lifecycle lock.',
      tags: ['in-flight'],
      initial: 'probing',
      on: {
        ...onEach(REQUESTS, {
          actions: 'sayBusy',
          meta: because('one request at a time; the lifecycle lock makes others wait'),
        } as const),
        'daemon.stopped': [
          {
            guard: 'startsAgain',
            target: '.starting',
            actions: 'forget',
            meta: cites('daemon.restart', 'daemon.differs'),
          },
          {
            target: 'not_running',
            actions: [{ type: 'report', params: { status: 'stopped' } }, 'forget'],
            meta: cites('daemon.stop'),
          },
        ],
        'daemon.failed': {
          target: 'not_running',
          actions: { type: 'refuse', params: START_FAILED },
          meta: cites('daemon.start-failed'),
        },
        'daemon.stuck': {
          target: 'running',
          actions: { type: 'refuse', params: STUCK },
          meta: cites('daemon.stop-failed'),
        },
        'request.interrupted': {
          target: 'not_running',
          meta: because('the process that asked has died; the next request probes again'),
        },
        'port.failed': {
          target: 'not_running',
          actions: { type: 'refuse', params: START_FAILED },
          meta: cites('daemon.start-failed'),
        },
      },
      states: {
        probing: {
          description: 'Socket and metadata are compared with live processes.',
          invoke: [{ id: 'probe', src: 'probe', input: ({ context }) => ({ key: context.key }) }, deadline(PROBE_MS)],
          on: {
            'probe.answered': ON_PROBE,
            'deadline.passed': {
              target: '#daemon.not_running',
              actions: { type: 'refuse', params: UNPROBED },
              meta: because('every wait has a deadline'),
            },
          },
        },
        awaiting: {
          description: 'The process of the daemon lives and does not answer: a second one would take its socket away.',
          invoke: [
            { id: 'ready', src: 'ready', input: ({ context }) => ({ key: context.key }) },
            deadline(DAEMON_READY_MS),
          ],
          on: {
            'daemon.ready': ready,
            'deadline.passed': {
              target: '#daemon.not_running',
              actions: { type: 'refuse', params: FROZEN },
              meta: cites('daemon.start-failed'),
            },
          },
        },
        starting: {
          description: 'The run process is spawned and asked for /ping.',
          invoke: [
            {
              id: 'launch',
              src: 'launch',
              input: ({ context }) => ({ key: context.key, removeStaleSocket: context.request?.ask === 'refused' }),
            },
            { id: 'ready', src: 'ready', input: ({ context }) => ({ key: context.key }) },
            deadline(DAEMON_READY_MS),
          ],
          on: {
            'daemon.ready': ready,
            'deadline.passed': { target: 'abandoning', meta: cites('daemon.start-failed') },
          },
        },
        abandoning: {
          description: 'The run process did not answer in time, and is ended.',
          invoke: { id: 'abandon', src: 'abandon', input: ({ context }) => ({ key: context.key }) },
        },
        stopping: {
          description: 'The managed process is asked to end.',
          invoke: [terminate('SIGTERM'), deadline(HURRY_AFTER_MS)],
          on: { 'deadline.passed': { target: 'hurrying', meta: cites('daemon.stop') } },
        },
        hurrying: {
          description: 'The managed process is asked to give up what it runs.',
          invoke: [terminate('SIGUSR2'), deadline(DAEMON_STOP_MS - HURRY_AFTER_MS)],
          on: { 'deadline.passed': { target: 'killing', meta: cites('daemon.stop') } },
        },
        killing: {
          description: 'The managed process is killed.',
          invoke: [terminate('SIGKILL'), deadline(KILLED_MS)],
          on: {
            'deadline.passed': {
              target: '#daemon.running',
              actions: { type: 'refuse', params: STUCK },
              meta: cites('daemon.stop-failed'),
            },
          },
        },
        retiring: {
          description: 'The daemon of another build is asked to end between two executions; none is ended under one.',
          invoke: [terminate('SIGUSR2'), deadline(DAEMON_REPLACE_MS)],
          on: {
            'deadline.passed': {
              target: '#daemon.running',
              actions: { type: 'refuse', params: AT_WORK },
              meta: cites('daemon.differs'),
            },
          },
        },
      },
    },
  },
})

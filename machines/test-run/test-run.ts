/** A run of flows: its plan, the queue of flows over phones, and the verdict. */
import type { Verdict } from '../../src/contracts/flows/test-run.ts'
import { strays } from '../port.ts'
import { because, cites, type RowId } from '../rows.ts'
import { runningOf } from './test-run-queue.ts'
import { testRunSetup } from './test-run-setup.ts'

/** How long flows wait for a phone while none runs one. */
const PHONE_WAIT_MS = 60_000

const tell = (verdict: Verdict) => ({ type: 'tell' as const, params: { verdict } })

const endsAs = <const V extends Verdict>(verdict: V, row: RowId) =>
  ({
    guard: { type: 'endsAs', params: { verdict } },
    target: `#test-run.${verdict}`,
    actions: ['queue', tell(verdict)],
    meta: cites(row),
  }) as const

/** With the last flow the run ends: one that failed decides, else one that nobody can judge. */
const ends = [
  endsAs('cancelled', 'test-run.cancelled'),
  endsAs('failed', 'test-run.failed'),
  endsAs('indeterminate', 'test-run.indeterminate'),
  endsAs('passed', 'test-run.passed'),
] as const

const broken = {
  target: '#test-run.indeterminate',
  actions: ['keepFailure', tell('indeterminate')],
  meta: because('a driver that fails must still end in an answer'),
} as const

const interrupted = {
  'run.interrupted': { target: '#test-run.interrupted', meta: because('its host died; a later process may go on') },
} as const

const running = testRunSetup.createStateConfig({
  description: 'Phones take flows from the queue; each runs one at a time.',
  tags: ['in-flight'],
  initial: 'unserved',
  invoke: {
    id: 'runner',
    src: 'runner',
    input: ({ context }) => ({ testRunId: context.testRunId, running: runningOf(context) }),
  },
  on: {
    ...interrupted,
    'phone.joined': { target: '.served', actions: ['assign', 'begin'], meta: cites('test-run.queue') },
    'phone.left': { actions: 'queue', meta: because('a phone that is gone takes no flow') },
    'attempt.ended': [
      ...ends,
      {
        guard: 'leavesUnserved',
        target: '.unserved',
        actions: ['queue', 'markUnserved'],
        meta: cites('test-run.lost-phone'),
      },
      {
        target: '.served',
        actions: ['assign', 'begin'],
        meta: cites('test-run.queue', 'test-run.retry', 'test-run.order', 'test-run.fail-fast'),
      },
    ],
    'run.cancelled': [
      endsAs('cancelled', 'test-run.cancelled'),
      { target: '.cancelling', actions: ['queue', 'stopAttempts'], meta: cites('test-run.cancelled') },
    ],
    'port.failed': broken,
  },
  states: {
    served: { description: 'At least one phone runs a flow.' },
    unserved: {
      description: 'Flows wait for a phone, and none is being run.',
      invoke: {
        id: 'phone-wait',
        src: 'deadline',
        input: ({ context }) => ({ since: context.unservedSince, ms: PHONE_WAIT_MS }),
      },
      on: {
        'phone.joined': [
          {
            guard: 'leavesUnserved',
            actions: 'queue',
            meta: because('no flow may run on this phone: each waits for its own'),
          },
          {
            target: 'served',
            actions: ['assign', 'begin'],
            meta: cites('test-run.queue', 'test-run.shard-all'),
          },
        ],
        'deadline.passed': [
          endsAs('cancelled', 'test-run.cancelled'),
          endsAs('failed', 'test-run.failed'),
          endsAs('indeterminate', 'test-run.no-phone'),
        ],
      },
    },
    cancelling: {
      description: 'Attempts that are under way are told to end; no other begins.',
      on: {
        'phone.joined': { actions: 'ignore', meta: because('no other flow begins') },
        'attempt.ended': [...ends, { actions: 'queue', meta: because('other attempts are still to end') }],
        'run.cancelled': { actions: 'ignore', meta: because('it is ending already') },
        'run.interrupted': {
          target: '#test-run.cancelled',
          actions: ['abandon', tell('cancelled')],
          meta: because('its host died, and nobody wants the run to go on'),
        },
      },
    },
  },
})

export const testRun = testRunSetup.createMachine({
  id: 'test-run',
  description: 'A run of flows: its plan, the queue of flows over phones, and the verdict.',
  context: ({ input }) => ({
    testRunId: input?.testRunId ?? '',
    flows: [],
    phones: {},
    retries: 0,
    failFast: false,
    isClosed: false,
    assignments: [],
    unservedSince: 0,
    failure: null,
  }),
  initial: 'requested',
  on: strays(
    [
      'run.requested',
      'run.planned',
      'run.refused',
      'phone.joined',
      'phone.left',
      'attempt.ended',
      'run.cancelled',
      'run.interrupted',
      'run.resumed',
      'deadline.passed',
      'port.failed',
    ],
    'the run is past the point this event speaks of',
  ),
  states: {
    requested: {
      description: 'A run that was named but not begun.',
      on: {
        'run.requested': { target: 'planning', actions: 'take', meta: because('a run begins with its request') },
      },
    },
    planning: {
      description: 'The files are read and checked; nothing is run before all of them can be.',
      tags: ['in-flight'],
      invoke: { id: 'plan', src: 'plan', input: ({ context }) => ({ testRunId: context.testRunId }) },
      on: {
        ...interrupted,
        'run.planned': {
          target: 'running',
          actions: ['queue', 'markUnserved'],
          meta: because('every file can be run'),
        },
        'run.refused': {
          target: 'failed',
          actions: ['keepFailure', tell('failed')],
          meta: because('a file cannot be read, or nothing is to be run'),
        },
        'run.cancelled': {
          target: 'cancelled',
          actions: tell('cancelled'),
          meta: because('nothing has begun yet'),
        },
        'port.failed': broken,
      },
    },
    running,
    interrupted: {
      description: 'Its host died, or ended: a later process may go on.',
      on: {
        'run.resumed': [
          {
            guard: 'isPlannedAndUnserved',
            target: 'running',
            actions: ['queue', 'markUnserved'],
            meta: cites('test-run.resumed'),
          },
          { guard: 'isPlanned', target: 'running.served', actions: 'queue', meta: cites('test-run.resumed') },
          { target: 'planning', meta: cites('test-run.resumed') },
        ],
        'run.cancelled': {
          target: 'cancelled',
          actions: ['abandon', tell('cancelled')],
          meta: because('nobody wants it to go on'),
        },
      },
    },
    passed: { description: 'Every flow has passed, or was skipped.', type: 'final' },
    failed: { description: 'At least one flow failed, or the run was refused.', type: 'final' },
    indeterminate: { description: 'No flow failed, and at least one cannot be judged.', type: 'final' },
    cancelled: { description: 'Somebody cancelled it.', type: 'final' },
  },
})

/** The context, ports, actions and guards of the test-run machine. */
import { assign, emit, sendTo, setup } from 'xstate'
import type { TestRunEvent } from '../../src/contracts/events/test-run.ts'
import type { Verdict } from '../../src/contracts/flows/test-run.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'
import {
  type Assignment,
  abandonedQueue,
  attemptEnded,
  cancelledQueue,
  isUnserved,
  joined,
  left,
  type Queue,
  queued,
  resumedQueue,
  served,
  verdictOf,
  withoutPhones,
} from './test-run-queue.ts'

export interface TestRunContext extends Queue {
  testRunId: string
  /** The attempts that the last event let begin. */
  assignments: readonly Assignment[]
  /** When the last flow was left without a phone. */
  unservedSince: number
  failure: { code: string; message: string } | null
}

export type TestRunEmitted = { type: 'run.ended'; testRunId: string; verdict: Verdict }

export interface RunnerInput {
  testRunId: string
  /** Attempts that a process before this one began. */
  running: readonly Assignment[]
}

/** The queue after an event, before free phones take what is next. */
const queueAfter = (context: TestRunContext, event: TestRunEvent): TestRunContext => {
  switch (event.type) {
    case 'run.planned':
      return { ...context, flows: event.flows.map(queued) }
    case 'phone.joined':
      return joined(context, event.deviceId)
    case 'phone.left':
      return left(context, event.deviceId)
    case 'attempt.ended':
      return attemptEnded(context, event)
    case 'deadline.passed':
      return withoutPhones(context)
    case 'run.cancelled':
      return cancelledQueue(context)
    case 'run.resumed':
      return resumedQueue(context)
    default:
      return context
  }
}

export const testRunSetup = setup({
  types: {
    context: {} as TestRunContext,
    events: {} as TestRunEvent,
    emitted: {} as TestRunEmitted,
    input: {} as { testRunId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    plan: port<{ testRunId: string }>('plan'),
    runner: port<RunnerInput>('runner'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    take: assign(({ context, event }) =>
      event.type === 'run.requested' ? { ...context, retries: event.retries, failFast: event.failFast } : context,
    ),
    /** Takes the event into the queue. */
    queue: assign(({ context, event }) => queueAfter(context, event)),
    /** The same, and every free phone takes its next flow. */
    assign: assign(({ context, event }) => {
      const { queue, assignments } = served(queueAfter(context, event))
      return { ...queue, assignments }
    }),
    begin: sendTo('runner', ({ context }) => ({ type: 'attempts.wanted', assignments: context.assignments })),
    abandon: assign(({ context }) => abandonedQueue(context)),
    stopAttempts: sendTo('runner', { type: 'attempts.unwanted' }),
    markUnserved: assign({ unservedSince: ({ event }) => event.at }),
    keepFailure: assign(({ event }) => {
      if (event.type === 'run.refused') return { failure: { code: event.code, message: event.message } }
      return { failure: { code: 'INTERNAL_ERROR', message: 'message' in event ? event.message : 'The runner broke.' } }
    }),
    tell: emit(({ context }, { verdict }: { verdict: Verdict }) => ({
      type: 'run.ended' as const,
      testRunId: context.testRunId,
      verdict,
    })),
    ignore,
  },
  guards: {
    /** With this event every flow has ended. */
    endsAs: ({ context, event }, { verdict }: { verdict: Verdict }) =>
      verdictOf(queueAfter(context, event)) === verdict,
    leavesUnserved: ({ context, event }) => isUnserved(queueAfter(context, event)),
    isPlanned: ({ context }) => context.flows.length > 0,
    isPlannedAndUnserved: ({ context, event }) => context.flows.length > 0 && isUnserved(queueAfter(context, event)),
  },
})

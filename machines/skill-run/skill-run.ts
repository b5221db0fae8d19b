/** One run of a skill: from the gates to the judgement of what its child left behind. */
import { SKILL_CLOSE_GRACE_MS, SKILL_KILL_GRACE_MS } from '../../src/contracts/limits/limits.ts'
import { strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import { judge, skillRunSetup } from './skill-run-setup.ts'

export const skillRun = skillRunSetup.createMachine({
  id: 'skill-run',
  description: 'One run of a skill: from the gates to the judgement of what its child left behind.',
  context: ({ input }) => ({
    runId: input?.runId ?? '',
    skillId: '',
    startedAt: 0,
    deadlineAt: 0,
    endingAt: 0,
    agentDriven: false,
  }),
  initial: 'requested',
  on: strays(
    [
      'run.requested',
      'run.refused',
      'run.cleared',
      'run.cancelled',
      'run.interrupted',
      'child.spawned',
      'child.failed',
      'child.exited',
      'deadline.passed',
      'port.failed',
    ],
    'the run is past the point this event speaks of',
  ),
  states: {
    requested: {
      description: 'A run that was named but not begun.',
      on: {
        'run.requested': { target: 'active', actions: 'take', meta: because('a run begins with its request') },
      },
    },
    active: {
      description: 'The run has an owner process.',
      tags: ['in-flight'],
      initial: 'gating',
      on: {
        'run.interrupted': {
          target: 'failed',
          actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
          meta: because('the host died; its child may still have acted'),
        },
        'port.failed': {
          target: 'failed',
          actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
          meta: because('a driver that fails must still end in an answer'),
        },
      },
      states: {
        gating: {
          description: 'Validation, device, script choice, agent CLI: nothing was spawned yet.',
          invoke: { id: 'gate', src: 'gate', input: ({ context }) => ({ runId: context.runId }) },
          on: {
            'run.cleared': { target: 'spawned', actions: 'clear', meta: because('every gate passed') },
            'run.refused': {
              target: '#skill-run.failed',
              actions: judge('failed'),
              meta: because('a gate refused: its code is the answer'),
            },
            'run.cancelled': {
              target: '#skill-run.failed',
              actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
              meta: because('the caller cancelled before the spawn'),
            },
          },
        },
        spawned: {
          description: 'A child in its own process group.',
          initial: 'running',
          invoke: {
            id: 'child',
            src: 'child',
            input: ({ context, event }) => ({
              runId: context.runId,
              script: event.type === 'run.cleared' ? event.script : '',
              argv: event.type === 'run.cleared' ? event.argv : [],
            }),
          },
          on: {
            'child.spawned': { actions: 'ignore', meta: because('its pid and start time are on record') },
            'child.failed': {
              target: '#skill-run.failed',
              actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
              meta: cites('skill-run.child-failed'),
            },
          },
          states: {
            running: {
              description: 'The child runs within its deadline; what it leaves is judged in this order.',
              invoke: {
                id: 'run-deadline',
                src: 'deadline',
                input: ({ context, event }) => ({ since: event.at, ms: context.deadlineAt - event.at }),
              },
              on: {
                'deadline.passed': {
                  target: 'terminating',
                  actions: ['markEnding', 'terminate'],
                  meta: cites('skill-run.timeout'),
                },
                'run.cancelled': {
                  target: 'cancelling',
                  actions: ['markEnding', 'terminate'],
                  meta: because('a signal to the caller reaches the whole process group'),
                },
                'child.exited': [
                  {
                    guard: 'isMalformed',
                    target: '#skill-run.failed',
                    actions: judge('failed', 'SKILL_RESULT_PARSE_FAILED'),
                    meta: cites('skill-run.frame-malformed'),
                  },
                  {
                    guard: 'isExitFailed',
                    target: '#skill-run.failed',
                    actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
                    meta: cites('skill-run.child-failed'),
                  },
                  {
                    guard: 'isFrameless',
                    target: '#skill-run.failed',
                    actions: judge('failed', 'SKILL_RESULT_PARSE_FAILED'),
                    meta: cites('skill-run.frame-missing'),
                  },
                  {
                    guard: { type: 'isVerification', params: { verdict: 'domain-failed' } },
                    target: '#skill-run.failed',
                    actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
                    meta: cites('skill-run.domain-failure'),
                  },
                  {
                    guard: { type: 'isVerification', params: { verdict: 'unproved' } },
                    target: '#skill-run.indeterminate',
                    actions: judge('indeterminate', 'SKILL_VERIFICATION_INDETERMINATE'),
                    meta: cites('skill-run.not-proved'),
                  },
                  {
                    guard: 'isUnexpected',
                    target: '#skill-run.failed',
                    actions: judge('failed', 'SKILL_OUTPUT_ASSERTION_FAILED'),
                    meta: cites('skill-run.assertion-failed'),
                  },
                  {
                    guard: 'isFramed',
                    target: '#skill-run.succeeded',
                    actions: judge('success'),
                    meta: cites('skill-run.framed-success'),
                  },
                  {
                    target: '#skill-run.succeeded',
                    actions: judge('success'),
                    meta: cites('skill-run.unframed-success'),
                  },
                ],
              },
            },
            terminating: {
              description: 'Past its deadline: asked to end, then killed.',
              initial: 'asked',
              on: {
                'child.exited': {
                  target: '#skill-run.failed',
                  actions: judge('failed', 'SKILL_EXECUTION_TIMEOUT'),
                  meta: cites('skill-run.timeout'),
                },
                'run.cancelled': { actions: 'ignore', meta: because('it is ending already') },
              },
              states: {
                asked: {
                  description: 'SIGTERM went to the process group.',
                  invoke: {
                    id: 'term-deadline',
                    src: 'deadline',
                    input: ({ context }) => ({ since: context.endingAt, ms: SKILL_KILL_GRACE_MS }),
                  },
                  on: {
                    'deadline.passed': { target: 'killed', actions: 'kill', meta: cites('skill-run.timeout') },
                  },
                },
                killed: {
                  description: 'SIGKILL went to the process group; a grandchild may still hold stdout.',
                  invoke: {
                    id: 'kill-deadline',
                    src: 'deadline',
                    input: ({ context }) => ({
                      since: context.endingAt,
                      ms: SKILL_KILL_GRACE_MS + SKILL_CLOSE_GRACE_MS,
                    }),
                  },
                  on: {
                    'deadline.passed': {
                      target: '#skill-run.failed',
                      actions: judge('failed', 'SKILL_EXECUTION_TIMEOUT'),
                      meta: cites('skill-run.timeout'),
                    },
                  },
                },
              },
            },
            cancelling: {
              description: 'The caller was told to stop: the child is asked to end, then killed.',
              invoke: {
                id: 'cancel-deadline',
                src: 'deadline',
                input: ({ context }) => ({ since: context.endingAt, ms: SKILL_KILL_GRACE_MS }),
              },
              on: {
                'child.exited': {
                  target: '#skill-run.failed',
                  actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
                  meta: because('a cancelled run never counts as a success'),
                },
                'run.cancelled': { actions: 'ignore', meta: because('it is ending already') },
                'deadline.passed': {
                  target: '#skill-run.failed',
                  actions: judge('failed', 'SKILL_EXECUTION_FAILED'),
                  meta: because('it would not end: leaving this state kills what is left'),
                },
              },
            },
          },
        },
      },
    },
    succeeded: { description: 'Wrapper status success.', type: 'final' },
    failed: { description: 'Wrapper status failed.', type: 'final' },
    indeterminate: { description: 'Wrapper status indeterminate.', type: 'final' },
  },
})

/** One attempt of one flow on one phone: its hooks, its commands, and the verdict. */
import type { FlowStage } from '../../src/contracts/events/flow-run.ts'
import type { Verdict } from '../../src/contracts/flows/test-run.ts'
import { strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import { type FlowRunContext, flowRunSetup } from './flow-run-setup.ts'

const enter = (stage: FlowStage) => ({ type: 'enter' as const, params: { stage } })
const tell = (verdict: Verdict) => ({ type: 'tell' as const, params: { verdict } })
const isOf = (stage: FlowStage) => ({ type: 'isOf' as const, params: { stage } })
const hasFailedIn = (stage: FlowStage) => ({ type: 'hasFailedIn' as const, params: { stage } })
const endsAs = (verdict: Verdict) => ({ type: 'endsAs' as const, params: { verdict } })
const wasIn = (stage: FlowStage) => ({ type: 'wasIn' as const, params: { stage } })

const stagePort = (stage: FlowStage) =>
  ({
    id: `stage-${stage}`,
    src: 'stage',
    input: ({ context: { flowRunId, requestedAt } }: { context: FlowRunContext }) => ({
      flowRunId,
      stage,
      requestedAt,
    }),
  }) as const

const late = { actions: 'ignore', meta: { ...because('another stage is under way'), stray: true } } as const

const resumed = (stage: FlowStage) =>
  ({
    guard: wasIn(stage),
    target: `active.${stage}`,
    meta: cites('flow-run.resumed'),
  }) as const

export const flowRun = flowRunSetup.createMachine({
  id: 'flow-run',
  description: 'One attempt of one flow on one phone: its hooks, its commands, and the verdict.',
  context: ({ input }) => ({
    flowRunId: input?.flowRunId ?? '',
    deviceId: '',
    requestedAt: 0,
    stage: 'start',
    fault: null,
  }),
  initial: 'requested',
  on: strays(
    [
      'flow.requested',
      'command.begun',
      'call.begun',
      'request.begun',
      'script.answered',
      'file.read',
      'command.ended',
      'stage.ended',
      'flow.cancelled',
      'flow.interrupted',
      'flow.resumed',
      'flow.refused',
      'port.failed',
    ],
    'the attempt is past the point this event speaks of',
  ),
  states: {
    requested: {
      description: 'An attempt that was named but not begun.',
      on: {
        'flow.requested': { target: 'active', actions: 'take', meta: because('an attempt begins with its request') },
      },
    },
    active: {
      description: 'The attempt has an owner process, which performs one command after the other.',
      tags: ['in-flight'],
      initial: 'start',
      on: {
        'command.begun': { actions: 'ignore', meta: because('a command is on record before anything of it happens') },
        'call.begun': { actions: 'ignore', meta: cites('flow-run.command') },
        'request.begun': {
          actions: 'ignore',
          meta: because('a request is on record before it is sent: a later process does not send it again'),
        },
        'file.read': { actions: 'ignore', meta: because('a later process goes on with the same file only') },
        'script.answered': { actions: 'ignore', meta: because('a later process gives scripts the same answers') },
        'command.ended': { actions: 'ignore', meta: because('a later process does not repeat what has ended') },
        'flow.cancelled': {
          target: 'cancelled',
          actions: tell('cancelled'),
          meta: because('its run was cancelled: nothing more is sent'),
        },
        'flow.interrupted': { target: 'interrupted', meta: cites('flow-run.interrupted') },
        'port.failed': {
          target: 'indeterminate',
          actions: ['keepFailure', tell('indeterminate')],
          meta: because('a driver that fails must still end in an answer'),
        },
      },
      states: {
        start: {
          description: 'The hook onFlowStart.',
          entry: enter('start'),
          invoke: stagePort('start'),
          on: {
            'stage.ended': [
              {
                guard: hasFailedIn('start'),
                target: 'complete',
                actions: 'keepFailure',
                meta: cites('flow-run.hook-failed'),
              },
              { guard: isOf('start'), target: 'main', meta: because('the hook has passed, or there is none') },
              late,
            ],
          },
        },
        main: {
          description: 'The commands of the flow.',
          entry: enter('main'),
          invoke: stagePort('main'),
          on: {
            'stage.ended': [
              {
                guard: isOf('main'),
                target: 'complete',
                actions: 'keepFailure',
                meta: cites('flow-run.complete-always'),
              },
              late,
            ],
          },
        },
        complete: {
          description: 'The hook onFlowComplete, which runs whatever happened before.',
          entry: enter('complete'),
          invoke: stagePort('complete'),
          on: {
            'stage.ended': [
              {
                guard: endsAs('indeterminate'),
                target: '#flow-run.indeterminate',
                actions: ['keepFailure', tell('indeterminate')],
                meta: cites('flow-run.indeterminate'),
              },
              {
                guard: endsAs('failed'),
                target: '#flow-run.failed',
                actions: ['keepFailure', tell('failed')],
                meta: cites('flow-run.failed'),
              },
              {
                guard: endsAs('passed'),
                target: '#flow-run.passed',
                actions: tell('passed'),
                meta: cites('flow-run.passed'),
              },
              late,
            ],
          },
        },
      },
    },
    interrupted: {
      description: 'Its host died, or ended: a later process may go on.',
      on: {
        'flow.resumed': [resumed('start'), resumed('main'), resumed('complete')],
        'flow.refused': {
          target: 'indeterminate',
          actions: ['keepFailure', tell('indeterminate')],
          meta: because('a file that the attempt has read is another one now'),
        },
        'flow.cancelled': {
          target: 'cancelled',
          actions: tell('cancelled'),
          meta: because('nobody wants it to go on'),
        },
      },
    },
    passed: { description: 'Every command has passed, or was optional.', type: 'final' },
    failed: { description: 'The app or the suite failed.', type: 'final' },
    indeterminate: {
      description: 'The fault was ours, or nobody can say whether a command took effect.',
      type: 'final',
    },
    cancelled: { description: 'Its run was cancelled.', type: 'final' },
  },
})

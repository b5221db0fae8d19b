/** The context, ports, actions and guards of the flow-run machine. */
import { assign, emit, setup } from 'xstate'
import type { FlowRunEvent, FlowStage } from '../../src/contracts/events/flow-run.ts'
import { isFaultOfHost } from '../../src/contracts/flows/flow-faults.ts'
import type { Verdict } from '../../src/contracts/flows/test-run.ts'
import { ignore, port } from '../port.ts'

/** The first thing that went wrong decides about the flow. */
export interface FlowFailure {
  code: string
  /** The command that failed, by its position; null for what happened to the run itself. */
  index: number | null
}

export interface FlowRunContext {
  flowRunId: string
  deviceId: string
  /** The clock of the scripts in the header, whichever process evaluates them. */
  requestedAt: number
  stage: FlowStage
  fault: FlowFailure | null
}

export type FlowRunEmitted = { type: 'flow.ended'; flowRunId: string; verdict: Verdict; failure: FlowFailure | null }

export interface StageInput {
  flowRunId: string
  stage: FlowStage
  requestedAt: number
}

const failureIn = (event: FlowRunEvent): FlowFailure | null => {
  if (event.type === 'stage.ended')
    return event.failureCode === null ? null : { code: event.failureCode, index: event.index }
  if (event.type === 'flow.refused') return { code: event.code, index: null }
  return event.type === 'port.failed' ? { code: 'INTERNAL_ERROR', index: null } : null
}

const verdictOf = (failure: FlowFailure | null): Verdict => {
  if (failure === null) return 'passed'
  return isFaultOfHost(failure.code) ? 'indeterminate' : 'failed'
}

export const flowRunSetup = setup({
  types: {
    context: {} as FlowRunContext,
    events: {} as FlowRunEvent,
    emitted: {} as FlowRunEmitted,
    input: {} as { flowRunId: string },
    tags: {} as 'in-flight',
  },
  actors: { stage: port<StageInput>('stage') },
  actions: {
    take: assign(({ context, event }) =>
      event.type === 'flow.requested' ? { ...context, deviceId: event.deviceId, requestedAt: event.at } : context,
    ),
    enter: assign((_, { stage }: { stage: FlowStage }) => ({ stage })),
    keepFailure: assign(({ context, event }) => ({ fault: context.fault ?? failureIn(event) })),
    tell: emit(({ context }, { verdict }: { verdict: Verdict }) => ({
      type: 'flow.ended' as const,
      flowRunId: context.flowRunId,
      verdict,
      failure: context.fault,
    })),
    ignore,
  },
  guards: {
    isOf: ({ event }, { stage }: { stage: FlowStage }) => event.type === 'stage.ended' && event.stage === stage,
    hasFailedIn: ({ event }, { stage }: { stage: FlowStage }) =>
      event.type === 'stage.ended' && event.stage === stage && event.failureCode !== null,
    wasIn: ({ context }, { stage }: { stage: FlowStage }) => context.stage === stage,
    /** The first failure decides. */
    endsAs: ({ context, event }, { verdict }: { verdict: Verdict }) =>
      event.type === 'stage.ended' &&
      event.stage === 'complete' &&
      verdictOf(context.fault ?? failureIn(event)) === verdict,
  },
})

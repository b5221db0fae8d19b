/** The context, ports, actions and guards of the skill-run machine. */
import { assign, emit, sendTo, setup } from 'xstate'
import type { SkillRunEvent, VerificationVerdict } from '../../src/contracts/events/skill-run.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'

export interface SkillRunContext {
  runId: string
  skillId: string
  startedAt: number
  deadlineAt: number
  /** When the child was asked to end. */
  endingAt: number
  agentDriven: boolean
}

export interface ChildInput {
  runId: string
  script: string
  argv: readonly string[]
}

export type SkillRunEmitted = {
  type: 'run.judged'
  runId: string
  status: 'success' | 'failed' | 'indeterminate'
  code: string | null
  durationMs: number
  body: unknown
}

type Judgement = { status: SkillRunEmitted['status']; code: string | null }

/** How a run ends: its wrapper status and, unless it succeeded, a code. */
export const judge = (status: Judgement['status'], code: string | null = null) => ({
  type: 'judge' as const,
  params: { status, code } satisfies Judgement,
})

export const skillRunSetup = setup({
  types: {
    context: {} as SkillRunContext,
    events: {} as SkillRunEvent,
    emitted: {} as SkillRunEmitted,
    input: {} as { runId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    gate: port<{ runId: string }>('gate'),
    child: port<ChildInput>('child'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    take: assign({
      skillId: ({ context, event }) => (event.type === 'run.requested' ? event.skillId : context.skillId),
      startedAt: ({ event }) => event.at,
    }),
    clear: assign({
      deadlineAt: ({ context, event }) => (event.type === 'run.cleared' ? event.deadlineAt : context.deadlineAt),
      agentDriven: ({ context, event }) => (event.type === 'run.cleared' ? event.agentDriven : context.agentDriven),
    }),
    markEnding: assign({ endingAt: ({ event }) => event.at }),
    judge: emit(({ context, event }, params: Judgement) => ({
      type: 'run.judged' as const,
      runId: context.runId,
      status: params.status,
      code: event.type === 'run.refused' ? event.code : params.code,
      durationMs: Math.max(0, event.at - context.startedAt),
      body: event.type === 'child.exited' ? event.body : undefined,
    })),
    /** SIGTERM to the process group first, SIGKILL when the state after it is entered. */
    terminate: sendTo('child', { type: 'terminate.requested' }),
    kill: sendTo('child', { type: 'kill.requested' }),
    ignore,
  },
  guards: {
    isMalformed: ({ event }) => event.type === 'child.exited' && event.frame === 'malformed',
    isFrameless: ({ context, event }) => event.type === 'child.exited' && event.frame === 'none' && context.agentDriven,
    isExitFailed: ({ event }) => event.type === 'child.exited' && event.exitCode !== 0,
    isUnexpected: ({ event }) => event.type === 'child.exited' && !event.expectationMet,
    isVerification: ({ event }, params: { verdict: VerificationVerdict }) =>
      event.type === 'child.exited' && event.verification === params.verdict,
    isFramed: ({ event }) => event.type === 'child.exited' && event.frame === 'valid',
  },
})

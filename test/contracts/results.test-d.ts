import { expectTypeOf } from 'vitest'
import type { DaemonReport } from '../../src/contracts/daemon.ts'
import type { WireEnvelope } from '../../src/contracts/device/operator.ts'
import type { ExecutionsQuery } from '../../src/contracts/doors/http.ts'
import type { ExecutionResult, ResultEnvelope, StepResult } from '../../src/contracts/executions/execution-result.ts'
import type { Receipt } from '../../src/contracts/executions/receipt.ts'
import type { ErrorObject } from '../../src/contracts/failures/error.ts'
import { FAILURES, type FailureCode, failure } from '../../src/contracts/failures/failures.ts'
import type { ActorSummary, HistoryEvent, TransitionRecord } from '../../src/contracts/records/actor.ts'
import type { SkillResult, SkillResultFrame } from '../../src/contracts/skills/skill-result.ts'
import type { SkillRunOutcome } from '../../src/contracts/skills/skill-run.ts'

// `ok` tells the two results apart.
expectTypeOf<Extract<ExecutionResult, { ok: true }>['envelope']>().toEqualTypeOf<ResultEnvelope>()
expectTypeOf<Extract<ExecutionResult, { ok: false }>['error']>().toEqualTypeOf<ErrorObject>()

// All data of a step are strings, also when the operator sent something else.
expectTypeOf<StepResult['data']>().toEqualTypeOf<{ [key: string]: string }>()
expectTypeOf<WireEnvelope['stepResults'][number]['data']>().toEqualTypeOf<{ [key: string]: string }>()
expectTypeOf<ResultEnvelope['error']>().not.toExtend<string | null>()
expectTypeOf<string>().toExtend<WireEnvelope['error']>()

// Codes are a closed set where we raise them, and any text where we read them.
expectTypeOf<ErrorObject['code']>().toEqualTypeOf<string>()
expectTypeOf<'NO_DEVICES'>().toExtend<FailureCode>()
expectTypeOf<'NO_SUCH_CODE'>().not.toExtend<FailureCode>()
expectTypeOf(FAILURES.NO_DEVICES.retriable).toEqualTypeOf<boolean>()
expectTypeOf(failure).parameter(0).toEqualTypeOf<FailureCode>()
expectTypeOf(failure).returns.toEqualTypeOf<ErrorObject>()

expectTypeOf<Receipt['state']>().toEqualTypeOf<'waiting' | 'accepted' | 'dispatched' | 'settled' | 'interrupted'>()
expectTypeOf<Receipt['dispatchedAt']>().toEqualTypeOf<number | undefined>()
expectTypeOf<Receipt['result']>().toEqualTypeOf<ExecutionResult | undefined>()

expectTypeOf<TransitionRecord>().toEqualTypeOf<{
  seq: number
  actor: string
  machine: string
  event: string
  from: string
  to: string
  at: number
  progress?: { what: string; done: number; total: number }
  host?: string
}>()
expectTypeOf<ActorSummary['tags']>().toEqualTypeOf<string[]>()
expectTypeOf<HistoryEvent['event']>().toExtend<{ type: string; [key: string]: unknown }>()

expectTypeOf<Extract<DaemonReport, { status: 'running' }>['uptimeSeconds']>().toEqualTypeOf<number>()
expectTypeOf<ExecutionsQuery['limit']>().toEqualTypeOf<number>()

// Only the runner says where a result comes from.
expectTypeOf<SkillResult>().not.toExtend<SkillResultFrame>()
expectTypeOf<SkillResult['source']>().toEqualTypeOf<{ kind: 'script' } | { kind: 'agent'; agentCli: string }>()
expectTypeOf<SkillRunOutcome['status']>().toEqualTypeOf<'success' | 'indeterminate' | 'failed'>()

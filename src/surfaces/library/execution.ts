/** One execution: sent once, asked for again under its own key or id while its answer is lost, cancelled by an abort. */

import { createHash, randomUUID } from 'node:crypto'
import { chosenStepId } from '../../contracts/chosen-step-ids.ts'
import { ANSWER_WITHIN_HEADER, CHOSEN_ID_HEADER, LEASE_HEADER } from '../../contracts/doors/headers.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Answered, Exchanged, Message } from '../../runtime/http-exchange.ts'
import { systemIds } from '../../runtime/ids.ts'
import { type Ask, answerLost, pauseBefore, sendTo } from './ask.ts'
import { cancelAfter, mayBeOfAnother } from './cancel.ts'
import type { Door } from './door.ts'
import type { ActionInput, ObservedScreen, ResultEnvelope } from './generated/shapes.ts'
import { executionIdIn, executionIn, messageFor } from './message.ts'
import type { CallOptions } from './options.ts'
import { asRecord, definedFields, type JsonRecord } from './outside.ts'
import { cancelled, errorOf, SvcError } from './svc-error.ts'

// An execution is sent again only to a server that remembers the first sending.

const LOOK_MS = 5_000

/**
 * A server on an address may be replaced by one with another journal, or with none, to which the execution would be new.
 * The daemon's door leads to processes of one home and one environment alone. `'unknown'` where no server answers now.
 */
const remembersStill = async ({ door, ask, memory }: Executor): Promise<boolean | 'unknown'> => {
  if (memory === undefined) return false
  if (door.mayChooseIds) return true
  return ask('server.version', {}, { timeoutMs: LOOK_MS, isContinued: true }).then(
    ({ journal }) => journal === memory,
    () => 'unknown' as const,
  )
}

/** An action whose id the library makes where the caller has none. */
export type Step = ActionInput extends infer Each
  ? Each extends { id: string }
    ? Omit<Each, 'id'> & { id?: string }
    : never
  : never

/** @internal */
export interface Target {
  deviceId?: string | undefined
  operatorPackage?: string | undefined
  leaseId?: string | undefined
}

/** @internal */
export interface Plan extends Target {
  steps: readonly Step[]
  /** How the snapshots of the execution are answered. */
  format?: 'xml' | 'compact' | undefined
  since?: string | undefined
}

/** @internal */
export interface Executed {
  executionId: string
  deviceId: string
  envelope: ResultEnvelope
  observed?: ObservedScreen
}

/** @internal */
export interface Executor {
  door: Door
  clock: Clock
  ask: Ask
  /** Names what the server remembers executions in; undefined where that ends with its process. */
  memory: string | undefined
  /** Throws where the connection is closed, on which no call begins. */
  checkOpen(): void
}

/** @internal */
export type Execute = (plan: Plan, options: CallOptions) => Promise<Executed>

const SOURCE = 'svc-library'
const DEFAULT_MS = 30_000
/** What a step may take beside its own time, and what an execution may take at most. */
const AROUND_STEP_MS = 5_000
const LONGEST_MS = 120_000
/** The late answer of the phone, and the way to it and back. */
const AROUND_EXECUTION_MS = 35_000
/** A server that restarts is asked again for so long. */
const RESEND_MS = 30_000
const LONGEST_PAUSE_MS = 2_000
const LABEL_CHARS = 32

const ownTime = ({ params }: { params?: unknown }): number => {
  const { timeoutMs, durationMs, navigationTimeoutMs, maxDurationMs } = asRecord(params) ?? {}
  return [timeoutMs, durationMs, navigationTimeoutMs, maxDurationMs].reduce<number>(
    (most, ms) => (typeof ms === 'number' ? Math.max(most, ms) : most),
    0,
  )
}

/** Enough for what the steps wait for by themselves. */
const timeFor = (steps: readonly { params?: unknown }[]): number =>
  Math.min(LONGEST_MS, Math.max(DEFAULT_MS, AROUND_STEP_MS + steps.reduce((sum, step) => sum + ownTime(step), 0)))

/** The same key makes the same payload: only then is a second call with it the same request. */
const labelOf = (key: string): string => `lib-${createHash('sha256').update(key).digest('hex').slice(0, LABEL_CHARS)}`

/** With a key of its own, a request for any of several phones could not try the next one. */
const isAnyOf = (deviceId: string | undefined): boolean => deviceId?.trim().startsWith('any:') ?? false

interface Draft {
  message: Message
  commandId: string
  executionId: string | undefined
  /** Sent again, the same execution runs once. */
  isRepeatable: boolean
  ms: number
}

const draftOf = ({ door, clock, memory }: Executor, plan: Plan, options: CallOptions): Draft => {
  const { deviceId, operatorPackage, leaseId, format, since } = plan
  const { idempotencyKey, observe, waitMs, timeoutMs } = options
  const key = idempotencyKey ?? randomUUID()
  const commandId = labelOf(key)
  const actions = plan.steps.map((step, index) => ({ ...step, id: step.id ?? chosenStepId(index) }))
  const limit = timeoutMs ?? timeFor(actions)
  const execution = {
    commandId,
    taskId: commandId,
    source: SOURCE,
    expectedFormat: 'android-ui-automator',
    timeoutMs: limit,
    actions,
  }
  const ms = limit + (waitMs ?? 0) + AROUND_EXECUTION_MS
  const executionId = door.mayChooseIds ? systemIds().at(clock.now()) : undefined
  const isKeyed = idempotencyKey !== undefined || (executionId === undefined && !isAnyOf(deviceId))
  const headers = definedFields({
    [ANSWER_WITHIN_HEADER]: String(ms),
    [CHOSEN_ID_HEADER]: executionId,
    'idempotency-key': isKeyed ? key : undefined,
    [LEASE_HEADER.toLowerCase()]: leaseId,
  }) as Record<string, string>
  const body = { execution, deviceId, operatorPackage, format, since, observe, waitMs }
  return {
    message: messageFor('execute', body, headers),
    commandId,
    executionId,
    isRepeatable: memory !== undefined && (isKeyed || executionId !== undefined),
    ms,
  }
}

const executedOf = (answer: Answered): Executed => {
  const { envelope, deviceId, observed } = executionIn(answer) as JsonRecord & {
    envelope: ResultEnvelope
    deviceId: string
    observed?: ObservedScreen
  }
  const executionId = executionIdIn(answer) ?? ''
  if (envelope.status === 'success') return { executionId, deviceId, envelope, ...(observed ? { observed } : {}) }
  const { error, errorCode } = envelope
  const details = { ...asRecord(error?.details), deviceId, envelope, ...(observed ? { observed } : {}) }
  const failure = {
    ...error,
    code: errorCode ?? error?.code ?? 'ACTION_FAILED',
    details: { ...details, dispatched: true },
  }
  throw errorOf(failure, { executionId, otherwise: true })
}

/** @internal */
export const createExecute =
  (executor: Executor): Execute =>
  async (plan, options) => {
    const { door, clock } = executor
    const { signal } = options
    executor.checkOpen()
    if (signal?.aborted) throw cancelled(false)
    const draft = draftOf(executor, plan, options)
    const { message, executionId, commandId, isRepeatable, ms } = draft
    const deadline = clock.now() + ms
    let mayHaveArrived = false
    let end: number | undefined
    let why = ''
    const lost = () => {
      const hint = executor.memory === undefined ? NO_RECEIPTS : lostHint(executionId)
      return answerLost(door, why, { executionId, hint, details: { commandId } })
    }
    const isShared = executionId === undefined && (await mayBeOfAnother(executor, commandId, options))
    if (signal?.aborted) throw cancelled(false)
    const abortion = cancelAfter(executor, { signal, executionId, commandId, isShared, wasSent: () => mayHaveArrived })
    try {
      for (let attempt = 0; ; attempt += 1) {
        if (attempt > 0) {
          if (!isRepeatable || (end !== undefined && clock.now() > end)) throw lost()
          await pause(clock, Math.min(pauseBefore(attempt - 1), LONGEST_PAUSE_MS), abortion.leave)
          if (signal?.aborted) throw abortion.unanswered(await abortion.outcome())
          const isRemembered = await remembersStill(executor)
          if (isRemembered === 'unknown') continue
          if (!isRemembered) {
            why += '; the server that answers now has another journal, or none'
            throw lost()
          }
        }
        const sending = sendTo(door, message, {
          clock,
          ms: Math.max(1, deadline - clock.now()),
          leave: abortion.leave,
          onSending: () => {
            mayHaveArrived = true
          },
        })
        const exchanged = await sending.catch((error: unknown): Exchanged => {
          // No place to ask again says nothing about what was sent before.
          if (mayHaveArrived && error instanceof SvcError) return { kind: 'not sent', reason: error.message }
          throw error
        })
        if (exchanged.kind === 'done') {
          if (!signal?.aborted) return executedOf(exchanged.answer)
          throw abortion.errorOf(exchanged.answer)
        }
        if (signal?.aborted) throw abortion.unanswered(await abortion.outcome())
        if (exchanged.kind === 'not sent' && !mayHaveArrived) throw door.unreachable(exchanged.reason)
        end ??= Math.min(deadline, clock.now() + RESEND_MS)
        why = exchanged.reason
      }
    } finally {
      abortion.release()
    }
  }

const NO_RECEIPTS = 'Look at the screen before you do it again: this server keeps no receipts.'

const lostHint = (executionId: string | undefined): string =>
  executionId === undefined
    ? 'Find its receipt with svc.receipts.list({ commandId: error.details.commandId }) before you do it again.'
    : 'See what became of it with svc.receipts.wait(error.executionId) before you do it again.'

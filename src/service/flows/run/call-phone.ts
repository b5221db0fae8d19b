/** One execution of a command: recorded before the phone is asked, and after a crash read from its receipt. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import { chosenStepId } from '../../../contracts/chosen-step-ids.ts'
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import { isReceiptInFlight, type Receipt } from '../../../contracts/executions/receipt.ts'
import { pause } from '../../../runtime/clock.ts'
import type { PhoneAnswer, PhoneStep } from '../phones.ts'
import type { LiveAttempt, RecordEvent } from './attempt.ts'
import { AttemptStopped, CommandFailed, failed, flowErrorOf } from './failure.ts'

/** An execution waits so long for its phone, beyond its own time. */
const QUEUE_MS = 60_000
const RECEIPT_POLL_MS = 500

export interface CallOptions {
  timeoutMs: number
  observe?: boolean
  /** The steps depend on the state that they change: worked out anew after they may have run, they would undo it. */
  isRelative?: boolean
}

/** The calls of one command. */
export interface CommandCalls {
  /** The index of the command. */
  readonly index: number
  /** The executions that a process before this one began for it, oldest first. */
  readonly recorded: readonly string[]
  /** How many of these have been read. */
  read: number
}

type Known =
  | { kind: 'answered'; answer: PhoneAnswer }
  | { kind: 'in doubt' }
  /** The steps that are proven not to have been done, or that may be done again. */
  | { kind: 'open'; steps: readonly PhoneStep[] }

/** After a crash: which of the steps of an execution are proven to have been done. */
const knownOf = (receipt: Receipt | undefined, steps: readonly PhoneStep[], isRelative: boolean): Known => {
  if (!receipt || receipt.dispatchedAt === undefined) {
    const { result } = receipt ?? {}
    // A journal that took nothing may take it now.
    const isRefused = result?.ok === false && result.error.code !== 'JOURNAL_UNAVAILABLE'
    return receipt?.state === 'settled' && isRefused
      ? { kind: 'answered', answer: { kind: 'unperformed', error: result.error } }
      : { kind: 'open', steps }
  }
  if (receipt.result?.ok) return { kind: 'answered', answer: performedOf(receipt.result) }
  if (isInDoubt(receipt, steps)) return { kind: 'in doubt' }
  const executed = new Set(receipt.executedSteps)
  // A look is repeated for its answer, also where it is proven.
  const isAct = steps.map(({ type }) => !onlyLooks(type))
  const lastDone = steps.findLastIndex((_, at) => isAct[at] && executed.has(chosenStepId(at)))
  if (lastDone === -1) return isRelative ? { kind: 'in doubt' } : { kind: 'open', steps }
  // Without its answer a command that has acted passes: whoever follows looks at the screen anew.
  const isOpen = isAct.some((acts, at) => acts && at > lastDone)
  return isOpen
    ? { kind: 'open', steps: steps.slice(lastDone + 1) }
    : { kind: 'answered', answer: { kind: 'performed', steps: [] } }
}

const performedOf = (result: Extract<NonNullable<Receipt['result']>, { ok: true }>): PhoneAnswer => {
  const { stepResults: steps, error } = result.envelope
  return { kind: 'performed', steps, ...(error === null ? {} : { error }) }
}

const inDoubt = (executionId: string, fact: string): CommandFailed =>
  failed('COMMAND_IN_DOUBT', `${fact}: it may have been carried out.`, { executionId })

const performedOrFailed = (answer: PhoneAnswer): Extract<PhoneAnswer, { kind: 'performed' }> => {
  if (answer.kind === 'performed') return answer
  throw new CommandFailed(flowErrorOf(answer.error))
}

export const createPhoneCalls = (attempt: LiveAttempt, record: RecordEvent, signal: AbortSignal) => {
  const { phones, ids, clock, deviceId, flowRunId } = attempt

  /** The host that has it may be another one, and still be at it. */
  const settledReceipt = async (executionId: string, timeoutMs: number): Promise<Receipt | undefined> => {
    const until = clock.elapsed() + timeoutMs + QUEUE_MS
    for (;;) {
      const receipt = await phones.receipt(executionId)
      const mayStillAct = receipt !== undefined && (receipt.state === 'waiting' || isReceiptInFlight(receipt.state))
      if (!mayStillAct) return receipt
      if (signal.aborted) throw new AttemptStopped('the attempt was cancelled')
      if (clock.elapsed() >= until) throw inDoubt(executionId, 'The execution of the command has not ended')
      await pause(clock, RECEIPT_POLL_MS, signal)
    }
  }

  /** The answer of an execution that an earlier process began, or the steps that are still to be done. */
  const recordedAnswer = async (
    calls: CommandCalls,
    wanted: readonly PhoneStep[],
    { timeoutMs, isRelative = false }: CallOptions,
  ): Promise<Exclude<Known, { kind: 'in doubt' }>> => {
    let steps = wanted
    while (calls.read < calls.recorded.length) {
      const executionId = calls.recorded[calls.read] as string
      calls.read += 1
      const known = knownOf(await settledReceipt(executionId, timeoutMs), steps, isRelative)
      if (known.kind === 'answered') return known
      if (known.kind === 'in doubt') throw inDoubt(executionId, 'The host ended while the command was under way')
      steps = known.steps
    }
    return { kind: 'open', steps }
  }

  /** Throws CommandFailed where no envelope came, and AttemptStopped. */
  const ask = async (
    calls: CommandCalls,
    wanted: readonly PhoneStep[],
    options: CallOptions,
  ): Promise<Extract<PhoneAnswer, { kind: 'performed' }>> => {
    const known = await recordedAnswer(calls, wanted, options)
    if (known.kind === 'answered') return performedOrFailed(known.answer)
    const { steps } = known
    const { timeoutMs, observe = false } = options
    if (signal.aborted) throw new AttemptStopped('the attempt was cancelled')
    const executionId = ids.at(clock.now())
    if (!(await record({ type: 'call.begun', index: calls.index, executionId })))
      throw new AttemptStopped('the journal does not take the call')
    return performedOrFailed(
      await phones.perform({ deviceId, executionId, flowRunId, steps, timeoutMs, observe, signal }),
    )
  }
  return ask
}

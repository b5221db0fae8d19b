/** One skill run, from a request to its judgement: the actor `skill-run:<runId>` does it, this asks for it. */
import type { SkillRunEmitted } from '../../../../machines/skill-run/skill-run-setup.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../../contracts/json/literals.ts'
import { SKILL_KILL_GRACE_MS, SKILL_RUNS_MAX, SKILL_TIMEOUT_ANSWER_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause, readClock, sinceMs, type Timer } from '../../../runtime/clock.ts'
import type { AskResult, TellResult } from '../../../runtime/host.ts'
import { JournalError } from '../../../runtime/journal/fault.ts'
import { deviceOf } from './child-plan.ts'
import { cancelledError, type FinishedRun, finishedRun, lateError, unrecordedRun } from './finished-run.ts'
import type { LiveRun, SkillRunDeps } from './live-run.ts'
import type { SkillRunRequest } from './request.ts'
import { callersTimeout, declaredTimeout, effectiveTimeout, timeAfter, timeoutProblem } from './timeout.ts'

/** The answer of a run that nobody records any more: late enough for the machine's own, and early enough to be read in time. */
const ANSWER_LATEST_MS = SKILL_TIMEOUT_ANSWER_MS - 800
/** The time for killed processes to be gone. */
const GONE_MS = 300
const LOOK_MS = 20

const signalOf = (cancel: AbortSignal) => (typeof cancel.reason === 'string' ? cancel.reason : 'SIGTERM')

const unanswered = (answer: Exclude<AskResult<SkillRunEmitted>, { kind: 'answered' }>, run: LiveRun, runId: string) => {
  const error = answer.kind === 'unrecorded' || answer.kind === 'broken' ? answer.error : undefined
  const end = answer.kind === 'unrecorded' ? 'nothing was started' : 'the run was ended, and may have acted'
  if (answer.kind === 'expired') return lateError(run)
  if (answer.kind === 'left') return cancelledError(run)
  if (error instanceof JournalError) {
    const details = { reason: error.reason, runId }
    return failure('JOURNAL_UNAVAILABLE', `${error.message}; ${end}.`, { details, hint: error.hint })
  }
  return failure('INTERNAL_ERROR', `The actor of the run gave no answer (${answer.kind}); ${end}.`, {
    details: { runId },
  })
}

const crowded = (): ErrorObject =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${SKILL_RUNS_MAX} skill runs are in progress; nothing was started.`, {
    details: { runsMax: SKILL_RUNS_MAX },
    hint: 'Try again when one of them has ended.',
  })

/**
 * Ends a run whose caller has given up, though the journal may not take it. Returns what aborts when the machine had its
 * time for that.
 */
const createCancel = (
  { cancel }: SkillRunRequest,
  run: LiveRun,
  tell: (signal: string) => Promise<TellResult | undefined>,
  clock: Clock,
) => {
  const late = new AbortController()
  const timers: Timer[] = []
  const after = (ms: number, call: () => void) => void timers.push(clock.at(clock.now() + ms, call))
  const onCancel = async () => {
    const signal = cancel ? signalOf(cancel) : 'SIGTERM'
    run.cancelledBy = signal
    after(ANSWER_LATEST_MS, () => late.abort())
    const delivery = await tell(signal).catch(() => undefined)
    // Answered meanwhile: what a script leaves behind on purpose is not ended for it.
    if (delivery?.kind === 'told' || run.isOver) return
    run.isOver = true
    if (!run.started) return late.abort()
    run.started.end('SIGTERM')
    after(SKILL_KILL_GRACE_MS, () => late.abort())
  }
  const listener = () => void onCancel()
  cancel?.addEventListener('abort', listener, { once: true })
  return {
    late: late.signal,
    forget: () => {
      cancel?.removeEventListener('abort', listener)
      for (const timer of timers) timer.cancel()
    },
  }
}

/** The processes that are still there although the run was ended. */
const survivors = async (run: LiveRun, clock: Clock): Promise<number[]> => {
  const until = clock.elapsed() + GONE_MS
  // A process that was frozen may hear of its child after it gave up on the run: the child is ended then, by its port.
  if (run.started === undefined && run.starting !== undefined)
    await Promise.race([run.starting.catch(() => {}), pause(clock, GONE_MS)])
  const { started } = run
  if (!started?.isEnding()) return []
  for (;;) {
    const left = started.left()
    if (left.length === 0 || clock.elapsed() >= until) return left
    await pause(clock, LOOK_MS)
  }
}

export const runSkill = async (request: SkillRunRequest, deps: SkillRunDeps): Promise<FinishedRun> => {
  const { host, runs, clock, ids } = deps
  const begun = readClock(clock)
  const runId = ids.at(begun.at)
  const { cancel } = request
  const invalid = timeoutProblem(request.timeoutMs)
  const timeoutMs = invalid ? undefined : callersTimeout(request.timeoutMs)
  const run: LiveRun = {
    request,
    deps,
    timeoutMs: effectiveTimeout(timeoutMs, undefined),
    endsAt: 0,
    isOver: false,
    survivors: [],
    skillResult: null,
  }
  if (invalid) return unrecordedRun({ ...run, request: { ...request, timeoutMs: undefined } }, runId, invalid.error, 0)
  if (cancel?.aborted) {
    const message = `Skill ${request.skillId} was cancelled by ${signalOf(cancel)} before it began.`
    run.cancelledBy = signalOf(cancel)
    return unrecordedRun(run, runId, failure('SKILL_EXECUTION_FAILED', message), 0)
  }
  // Refused and not kept waiting: a run may ask for others, and would wait for itself.
  if (runs.size >= SKILL_RUNS_MAX) return unrecordedRun(run, runId, crowded(), 0)

  run.timeoutMs = effectiveTimeout(timeoutMs, declaredTimeout(request.skillId, deps))
  run.endsAt = timeAfter(request.askedAt ?? begun.elapsed, run.timeoutMs)
  const target = {
    id: `skill-run:${runId}`,
    machine: 'skill-run',
    input: { runId },
    note: { runId, skillId: request.skillId },
  }
  request.onRun?.(runId)
  runs.set(runId, run)
  let settle: (isRequested: boolean) => void = () => {}
  const isRequested = new Promise<boolean>(resolve => {
    settle = resolve
  })
  // A run that is not on record has nothing to cancel.
  const tell = async (signal: string) =>
    (await isRequested) ? host.tell(target, { type: 'run.cancelled', signal }) : undefined
  const cancelling = createCancel(request, run, tell, clock)
  try {
    const requested = {
      type: 'run.requested',
      runId,
      skillId: request.skillId,
      deviceId: deviceOf(request) ?? null,
      operatorPackage: request.operatorPackage ?? DEFAULT_OPERATOR_PACKAGE,
      argv: [...request.args],
      timeoutMs: timeoutMs ?? null,
    }
    const answer = await host.ask<SkillRunEmitted>(target, requested, {
      matches: ({ type }) => type === 'run.judged',
      until: timeAfter(clock.now(), run.endsAt - clock.elapsed() + ANSWER_LATEST_MS),
      leave: cancelling.late,
      onTold: () => settle(true),
    })
    // A cancellation that could not be recorded counts all the same, whatever the script made of its signal.
    const outcome = run.isOver ? ({ kind: 'left' } as const) : answer
    run.isOver = true
    if (outcome.kind !== 'answered') run.started?.end('SIGKILL')
    run.survivors = await survivors(run, clock)
    const finished =
      outcome.kind === 'answered'
        ? finishedRun(run, { ...outcome.emitted, durationMs: sinceMs(clock, begun) })
        : unrecordedRun(run, runId, unanswered(outcome, run, runId), sinceMs(clock, begun))
    if (finished.skillResult === null) run.output?.release()
    return finished
  } finally {
    run.isOver = true
    settle(false)
    run.folder?.remove()
    cancelling.forget()
    runs.delete(runId)
  }
}

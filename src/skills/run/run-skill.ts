/** One skill run, from a request to its judgement: the actor `skill-run:<runId>` does it, this asks for it. */
import type { SkillRunEmitted } from '../../../machines/skill-run-setup.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { SKILL_RUNS_MAX, SKILL_TIMEOUT_ANSWER_MS } from '../../contracts/limits.ts'
import type { Asked } from '../../runtime/host.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import { deviceOf } from './child-plan.ts'
import { GATES_MS } from './gate.ts'
import { type JudgedRun, judgedRun, unjudgedRun } from './judged.ts'
import type { LiveRun } from './live-run.ts'
import type { SkillRunDeps, SkillRunRequest } from './request.ts'
import { callersTimeout, timeAfter, timeoutProblem } from './timeout.ts'

/** The longest that a skill may ask for itself is not known here; the machine ends every run by itself. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER
const SLACK_MS = 10_000

const waitMs = (timeoutMs: number | undefined) =>
  timeoutMs === undefined ? NO_LIMIT : GATES_MS + timeoutMs + SKILL_TIMEOUT_ANSWER_MS + SLACK_MS

const signalOf = (cancel: AbortSignal) => (typeof cancel.reason === 'string' ? cancel.reason : 'SIGTERM')

const unanswered = (asked: Asked<SkillRunEmitted>, runId: string): ErrorObject => {
  const error = asked.kind === 'unrecorded' || asked.kind === 'broken' ? asked.error : undefined
  const end = asked.kind === 'unrecorded' ? 'nothing was started' : 'the run was ended, and may have acted'
  if (error instanceof JournalError) {
    const details = { reason: error.reason, runId }
    return failure('JOURNAL_UNAVAILABLE', `${error.message}; ${end}.`, { details, hint: error.hint })
  }
  return failure('INTERNAL_ERROR', `The run gave no answer (${asked.kind}); ${end}.`, { details: { runId } })
}

const crowded = (): ErrorObject =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${SKILL_RUNS_MAX} skill runs are under way here; nothing was started.`, {
    details: { runsMax: SKILL_RUNS_MAX },
    hint: 'Try again when one of them has ended.',
  })

export const runSkill = async (request: SkillRunRequest, deps: SkillRunDeps): Promise<JudgedRun> => {
  const { host, runs, clock, ids } = deps
  const begun = clock.now()
  const runId = ids.at(begun)
  const run: LiveRun = { request, deps, skillResult: null }
  const { cancel } = request
  const invalid = timeoutProblem(request.timeoutMs)
  if (invalid) return unjudgedRun({ ...run, request: { ...request, timeoutMs: undefined } }, runId, invalid.error, 0)
  if (cancel?.aborted) {
    const said = `Skill ${request.skillId} was cancelled by ${signalOf(cancel)} before it began.`
    run.cancelledBy = signalOf(cancel)
    return unjudgedRun(run, runId, failure('SKILL_EXECUTION_FAILED', said), 0)
  }
  // Refused and not kept waiting: a run may ask for others, and would wait for itself.
  if (runs.size >= SKILL_RUNS_MAX) return unjudgedRun(run, runId, crowded(), 0)

  const timeoutMs = callersTimeout(request.timeoutMs)
  const target = {
    id: `skill-run:${runId}`,
    machine: 'skill-run',
    input: { runId },
    note: { runId, skillId: request.skillId },
  }
  const onCancel = () => {
    run.cancelledBy = cancel ? signalOf(cancel) : 'SIGTERM'
    // A journal that fails here breaks the run as well, and that ends the child.
    host.tell(target, { type: 'run.cancelled', signal: run.cancelledBy })
  }
  request.onRun?.(runId)
  runs.set(runId, run)
  cancel?.addEventListener('abort', onCancel, { once: true })
  try {
    const requested = {
      type: 'run.requested',
      runId,
      skillId: request.skillId,
      deviceId: deviceOf(request) ?? null,
      operatorPackage: request.operatorPackage,
      argv: [...request.args],
      timeoutMs: timeoutMs ?? null,
    }
    const asked = await host.ask<SkillRunEmitted>(target, requested, {
      matches: ({ type }) => type === 'run.judged',
      until: timeAfter(begun, waitMs(timeoutMs)),
    })
    const judged =
      asked.kind === 'answered'
        ? judgedRun(run, asked.emitted)
        : unjudgedRun(run, runId, unanswered(asked, runId), clock.now() - begun)
    if (judged.skillResult === null) run.output?.release()
    return judged
  } finally {
    cancel?.removeEventListener('abort', onCancel)
    runs.delete(runId)
  }
}

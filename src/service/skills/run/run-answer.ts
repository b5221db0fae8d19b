/** The contract's Wrapper result of a skill run: what the CLI prints, and what POST /skills/:skillId/run answers. */
import { failureHint } from '../../../contracts/failures/failure-hints.ts'
import { httpStatusOf } from '../../../contracts/failures/failures.ts'
import { defined } from '../../../contracts/json/json.ts'
import type {
  SkillRunFailedResponse,
  SkillRunFramedResponse,
  SkillRunOutcome,
  SkillRunResponse,
  SkillRunUnframed,
} from '../../../contracts/skills/skill-run.ts'
import type { FinishedRun } from './finished-run.ts'

type Failed = SkillRunFailedResponse['error']

const HTTP_OK = 200

const always = ({ durationMs, timeoutMs, expectedSubstring }: FinishedRun) => ({
  durationMs,
  ...defined({ timeoutMs, expectedSubstring }),
})

const streamsOf = ({ captured, exit, skillResult }: FinishedRun) =>
  captured === undefined
    ? {}
    : {
        ...(exit ? { exitCode: exit.exitCode } : {}),
        stdout: captured.stdout,
        ...(captured.stderr === '' ? {} : { stderr: captured.stderr }),
        skillResult,
      }

const outputOf = ({ captured, skillResult }: FinishedRun) => ({ output: captured?.stdout ?? '', skillResult })

const hintOf = (code: string, { runId }: FinishedRun): string =>
  code === 'SKILL_EXECUTION_FAILED'
    ? `Read what the script printed; \`GET /executions?skillRunId=${runId}\` lists what the run did on its device.`
    : failureHint(code)

const failedFields = (run: FinishedRun): Failed => {
  const { skillId, error, timeoutMs, expectedSubstring } = run
  const { code = 'INTERNAL_ERROR', message = 'The run failed.', ...more } = error ?? {}
  return {
    code,
    message,
    hint: hintOf(code, run),
    ...more,
    skillId,
    ...(code === 'SKILL_OUTPUT_ASSERTION_FAILED' ? outputOf(run) : streamsOf(run)),
    ...defined({ expectedSubstring, timeoutMs }),
  }
}

const indeterminateFields = (run: FinishedRun) => ({
  status: 'indeterminate' as const,
  code: 'SKILL_VERIFICATION_INDETERMINATE' as const,
  message: run.error?.message ?? 'Declared verification was not proved.',
  hint: failureHint('SKILL_VERIFICATION_INDETERMINATE'),
  ...always(run),
})

const unframedFields = (run: FinishedRun): SkillRunUnframed => ({
  status: 'success',
  skillId: run.skillId,
  output: run.captured?.stdout ?? '',
  exitCode: 0,
  skillResult: null,
  ...always(run),
})

export const runOutcome = (run: FinishedRun): SkillRunOutcome => {
  const { status, skillResult } = run
  if (status === 'failed') return { status, ...failedFields(run) }
  if (status === 'indeterminate') return { ...indeterminateFields(run), skillResult }
  return skillResult ? { status, skillResult, ...always(run) } : unframedFields(run)
}

export const runAnswer = (run: FinishedRun): { status: number; body: SkillRunResponse } => {
  const { status, skillResult } = run
  if (status === 'failed') {
    const error = failedFields(run)
    return { status: httpStatusOf(error.code), body: { ok: false, status, error } }
  }
  if (status === 'indeterminate')
    return { status: HTTP_OK, body: { ok: null, ...indeterminateFields(run), skillResult } }
  const framed: SkillRunFramedResponse | undefined = skillResult ? { ok: true, skillResult, ...always(run) } : undefined
  return { status: HTTP_OK, body: framed ?? { ok: true, ...unframedFields(run) } }
}

const runFailed = (error: Failed): Partial<FinishedRun> => {
  const { code, message, details, hint, retriable, exitCode, stdout, output = stdout, stderr = '' } = error
  return {
    error: { code, message, ...defined({ details, hint, retriable }) },
    ...(exitCode === undefined ? {} : { exit: { exitCode, signal: null } }),
    ...(output === undefined ? {} : { captured: { stdout: output, stderr } }),
  }
}

/** The run of another process by its answer: what `runAnswer` tells of it, and no more. */
export const runOfAnswer = (body: SkillRunResponse, { runId, skillId }: { runId: string; skillId: string }) => {
  const fields = body.ok === false ? body.error : body
  const { skillResult = null, timeoutMs, expectedSubstring } = fields
  const run: FinishedRun = {
    runId,
    skillId,
    status: body.ok === false ? 'failed' : body.ok === null ? 'indeterminate' : 'success',
    durationMs: 'durationMs' in fields ? fields.durationMs : 0,
    skillResult,
    ...defined({ timeoutMs, expectedSubstring }),
  }
  if (body.ok === false) return { ...run, ...runFailed(body.error) }
  if (body.ok === null) return { ...run, error: { code: body.code, message: body.message } }
  return 'output' in body ? { ...run, captured: { stdout: body.output, stderr: '' } } : run
}

/** A run as CTRF, the Common Test Report Format: one JSON document with all that svc knows of it. */
import { createHash } from 'node:crypto'
import {
  attemptError,
  countOutcomes,
  failedExecution,
  flowError,
  isFlaky,
  lastAttempt,
  outcomeOf,
  tookMs,
} from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, FlowCommandResult, TestFlow, TestRun } from '../../../contracts/flows/test-run.ts'
import { defined } from '../../../contracts/json/json.ts'
import { type Attachments, filesOf } from './attachments.ts'
import { factLines, failedLine, pathFrom, placeOf } from './places.ts'

const SPEC_VERSION = '1.0.0'

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

const STATUS: Readonly<Record<string, Status>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  unfinished: 'pending',
}

const statusOf = (verdict: string): Status => STATUS[verdict] ?? 'other'

const STEP_STATUS: Readonly<Record<FlowCommandResult['verdict'], Status>> = {
  passed: 'passed',
  failed: 'failed',
  indeterminate: 'other',
  skipped: 'skipped',
  ignored: 'passed',
  running: 'pending',
}

export interface CtrfOptions {
  readonly cwd: string
  readonly attachments: Attachments
  readonly version: string
  readonly now: number
}

/** The same for the same name in every run: a UUID of version 8, whose bits are the writer's own. */
const stableId = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const attachmentsOf = (attempt: FlowAttempt, { attachments }: CtrfOptions) => {
  const found = filesOf(attempt).flatMap(path => attachments.get(path) ?? [])
  return found.length === 0 ? undefined : found.map(({ name, contentType, path }) => ({ name, contentType, path }))
}

const stepOf = (command: FlowCommandResult, { cwd }: CtrfOptions) => ({
  name: `${'  '.repeat(command.depth)}${command.text}`,
  status: STEP_STATUS[command.verdict],
  extra: {
    verdict: command.verdict,
    command: command.name,
    file: pathFrom(cwd, command.file),
    line: command.line,
    start: command.startedAt,
    ...defined({ stop: command.endedAt, error: command.error }),
    executionIds: command.executionIds,
  },
})

const attemptOf = (attempt: FlowAttempt, isLast: boolean, options: CtrfOptions) => {
  const { deviceId, flowRunId, warnings, commands = [] } = attempt
  const error = attemptError(attempt)
  return {
    attempt: attempt.attempt,
    status: statusOf(attempt.verdict ?? 'unfinished'),
    duration: tookMs(attempt),
    start: attempt.startedAt,
    ...defined({
      stop: attempt.endedAt,
      message: error?.message,
      trace: error && factLines(options.cwd, error, failedExecution(attempt)).join('\n'),
      snippet: error?.command,
      line: error?.line,
      attachments: attachmentsOf(attempt, options),
    }),
    extra: {
      verdict: attempt.verdict,
      device: deviceId,
      flowRunId,
      // The commands of the last attempt are the steps of the test.
      ...defined({ error, warnings, steps: isLast ? undefined : commands.map(command => stepOf(command, options)) }),
    },
  }
}

const testOf = (flow: TestFlow, options: CtrfOptions) => {
  const { cwd } = options
  const last = lastAttempt(flow)
  const error = flowError(flow)
  const outcome = outcomeOf(flow)
  const deviceId = last?.deviceId ?? flow.deviceId
  return {
    id: stableId(`${flow.flow}\0${flow.name}\0${flow.deviceId ?? ''}`),
    // A name must not be empty.
    name: flow.name || flow.flow || 'flow',
    status: statusOf(outcome),
    duration: tookMs(last),
    rawStatus: outcome,
    type: 'e2e',
    filePath: pathFrom(cwd, flow.flow),
    suite: [flow.deviceId ?? 'Test Suite'],
    retries: Math.max(0, flow.attempts.length - 1),
    flaky: isFlaky(flow),
    ...defined({
      start: last?.startedAt,
      stop: last?.endedAt,
      message: error?.message ?? flow.reason,
      trace: error && last && factLines(cwd, error, failedExecution(last)).join('\n'),
      snippet: error?.command,
      line: failedLine(cwd, flow),
      device: deviceId,
      tags: flow.tags.length > 0 ? flow.tags : undefined,
      labels: Object.keys(flow.properties).length > 0 ? flow.properties : undefined,
      retryAttempts:
        flow.attempts.length > 1
          ? flow.attempts.map(attempt => attemptOf(attempt, attempt === last, options))
          : undefined,
      attachments: last && attachmentsOf(last, options),
      steps: last?.commands?.map(command => stepOf(command, options)),
    }),
    extra: defined({ flowRunId: last?.flowRunId, error, warnings: last?.warnings, at: error && placeOf(cwd, error) }),
  }
}

export const ctrfReport = (run: TestRun, options: CtrfOptions): string => {
  const { passed, failed, skipped, indeterminate, cancelled, unfinished, flaky } = countOutcomes(run)
  const stop = run.endedAt ?? options.now
  const report = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    reportId: stableId(run.testRunId),
    timestamp: new Date(options.now).toISOString(),
    generatedBy: `svc ${options.version}`,
    results: {
      tool: { name: 'svc', version: options.version },
      summary: {
        tests: run.flows.length,
        passed,
        failed,
        skipped,
        pending: unfinished,
        other: indeterminate + cancelled,
        flaky,
        start: run.startedAt,
        stop: Math.max(run.startedAt, stop),
        duration: Math.max(0, stop - run.startedAt),
        extra: { verdict: run.verdict, indeterminate, cancelled, ...defined({ error: run.error }) },
      },
      tests: run.flows.map(flow => testOf(flow, options)),
      environment: {
        reportName: `svc test ${run.testRunId}`,
        extra: { svcRun: run.testRunId, state: run.state, ...defined({ host: run.host }) },
      },
    },
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

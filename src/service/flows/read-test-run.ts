/** A run of flows as the journal has it: what was planned, the attempts, and the commands of each. */
import { readdirSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { QueuedFlow } from '../../../machines/test-run/test-run-queue.ts'
import type { TestRunContext } from '../../../machines/test-run/test-run-setup.ts'
import type { PlannedFlow } from '../../contracts/events/test-run.ts'
import type {
  FlowAttempt,
  FlowCommandResult,
  FlowError,
  TestFlow,
  TestRun,
  Verdict,
} from '../../contracts/flows/test-run.ts'
import { foldActor } from '../../runtime/fold.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { type Sliced, withoutPauses } from '../../runtime/yielding.ts'
import { type Problem, problemsHint } from './language/problem.ts'
import type { RecordedRequest } from './request.ts'
import { type RecordedAttempt, type RecordedCommand, readingAttempt } from './run/command-log.ts'
import { recordedLog } from './run/script-log.ts'
import { recordedWarnings } from './run/warnings.ts'

type Reading = Pick<Journal, 'records' | 'body' | 'last' | 'checkpoint'>

export const testRunActor = (testRunId: string): string => `test-run:${testRunId}`

/** The name of an attempt: the position of its flow, and which attempt it is. */
export const flowRunIdOf = (testRunId: string, flow: number, attempt: number): string =>
  `${testRunId}.${flow + 1}.${attempt}`

/** The run that an attempt is of. */
export const testRunOf = (flowRunId: string): string => flowRunId.split('.')[0] ?? ''

/** The body of `run.planned`, flow by flow. */
export interface PlannedFacts {
  readonly tags: readonly string[]
  readonly properties: Readonly<Record<string, string>>
}

const requestRecord = (journal: Pick<Journal, 'records'>, testRunId: string) =>
  journal.records({ actor: testRunActor(testRunId), limit: 3 }).find(({ event }) => event.type === 'run.requested')

/** The flows of a run in the order of its queue; none where it was not planned. */
export const plannedFlowsOf = (journal: Pick<Journal, 'records'>, testRunId: string): readonly PlannedFlow[] => {
  const first = journal.records({ actor: testRunActor(testRunId), limit: PLANNED_WITHIN })
  return (first.find(({ event }) => event.type === 'run.planned')?.event.flows ?? []) as readonly PlannedFlow[]
}
const PLANNED_WITHIN = 10

export const recordedRequestOf = (
  journal: Pick<Journal, 'records' | 'body'>,
  testRunId: string,
): RecordedRequest | undefined => {
  const record = requestRecord(journal, testRunId)
  return record && (journal.body(record) as RecordedRequest | undefined)
}

const ENDS: Readonly<Record<string, Verdict>> = {
  passed: 'passed',
  failed: 'failed',
  indeterminate: 'indeterminate',
  cancelled: 'cancelled',
}

export const verdictOfState = (state: string | undefined): Verdict | null => ENDS[state ?? ''] ?? null

/** The caller names it so from the folder that the run was asked for in. */
const shownFile = (cwd: string, file: string): string => {
  const way = isAbsolute(file) ? relative(cwd, file) : file
  return way.startsWith('..') ? file : way
}

const shownError = (cwd: string, error: FlowError): FlowError =>
  error.file === undefined ? error : { ...error, file: shownFile(cwd, error.file) }

const commandResult = (cwd: string, { begun, executionIds, ended }: RecordedCommand): FlowCommandResult => {
  const { index, depth, name, text, file, line, at } = begun
  const { error, files } = ended?.body ?? {}
  return {
    index,
    depth,
    name,
    text,
    file: shownFile(cwd, file),
    line,
    verdict: ended?.verdict ?? 'running',
    startedAt: at,
    ...(ended ? { endedAt: ended.at } : {}),
    executionIds: [...executionIds],
    ...(error ? { error: shownError(cwd, error) } : {}),
    ...(files ? { files: [...files] } : {}),
  }
}

/** Videos of the whole attempt come after its last record. */
const videosIn = (runFolder: string, folder: string): string[] => {
  try {
    return readdirSync(join(runFolder, folder))
      .filter(name => VIDEO.test(name))
      .sort()
      .map(name => join(folder, name))
  } catch {
    return []
  }
}
const VIDEO = /^video-\d+\.mp4$/

/** The folder of an attempt, below that of its run. */
export const attemptFolder = (flow: number, attempt: number): string => `${flow + 1}-${attempt}`

/** The first stage that failed decides. */
const failureOf = ({ stages, refusal }: RecordedAttempt) => {
  const failed = stages.filter(({ failureCode }) => failureCode !== null)
  return {
    error: failed[0]?.body.error ?? refusal,
    failureExecutionId: failed[0]?.body.executionId,
    files: failed.flatMap(({ body }) => body.files ?? []),
  }
}

interface AttemptOf {
  flowRunId: string
  deviceId: string
  attempt: number
  cwd: string
  /** Below the folder of the run. */
  videos: readonly string[]
  withCommands: boolean
}

export const readingFlowAttempt = function* (
  journal: Reading,
  { flowRunId, deviceId, attempt, cwd, videos, withCommands }: AttemptOf,
): Sliced<FlowAttempt | undefined> {
  const recorded = yield* readingAttempt(journal, flowRunId, withCommands ? 'without scripts' : 'without commands')
  const { requested, last } = recorded
  if (!requested) return undefined
  const verdict = verdictOfState(last?.to)
  const { error, failureExecutionId, files: shown } = failureOf(recorded)
  const files = [...shown, ...videos]
  const warnings = recordedWarnings(recorded).map(each => ({ ...each, file: shownFile(cwd, each.file) }))
  const log = withCommands ? recordedLog(recorded).map(each => ({ ...each, file: shownFile(cwd, each.file) })) : []
  return {
    flowRunId,
    attempt,
    deviceId: requested.deviceId || deviceId,
    verdict,
    startedAt: requested.at,
    ...(verdict !== null && last ? { endedAt: last.at } : {}),
    ...(error ? { error: shownError(cwd, error) } : {}),
    ...(failureExecutionId === undefined ? {} : { failureExecutionId }),
    ...(files.length > 0 ? { files } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(log.length > 0 ? { log } : {}),
    ...(withCommands ? { commands: recorded.commands.map(command => commandResult(cwd, command)) } : {}),
  }
}

/** Undefined where the journal has no such run. `withCommands` is for one run: lists leave them out. */
export const readingTestRun = function* (
  journal: Reading,
  testRunId: string,
  { withCommands }: { withCommands: boolean },
): Sliced<TestRun | undefined> {
  const actor = testRunActor(testRunId)
  const requested = requestRecord(journal, testRunId)
  const last = journal.last(actor)
  if (!requested || !last) return undefined
  const request = journal.body(requested) as RecordedRequest | undefined
  const first = journal.records({ actor, limit: PLANNED_WITHIN })
  const planned = first.find(({ event }) => event.type === 'run.planned')
  const refusal = first.find(({ event }) => event.type === 'run.refused')
  const plan = plannedFlowsOf(journal, testRunId)
  const facts = ((planned && journal.body(planned)) ?? []) as readonly PlannedFacts[]
  const context = foldActor(CATALOGUE['test-run'], journal as Journal, actor).snapshot?.context as
    | TestRunContext
    | undefined
  const { cwd = '', folder = '' } = request ?? {}
  const flows: TestFlow[] = []
  for (const [index, each] of plan.entries()) {
    yield
    const state = context?.flows[index]
    const attempts: FlowAttempt[] = []
    for (let number = 1; number <= (state?.attempts ?? 0); number += 1) {
      const attempt = yield* readingFlowAttempt(journal, {
        flowRunId: flowRunIdOf(testRunId, index, number),
        deviceId: state?.phone ?? '',
        attempt: number,
        cwd,
        videos: videosIn(folder, attemptFolder(index, number)),
        withCommands,
      })
      if (attempt) attempts.push(leftAttempt(attempt, state))
    }
    const { tags = [], properties = {} } = facts[index] ?? {}
    flows.push({
      flow: isAbsolute(each.file) ? relative(cwd, each.file) : each.file,
      name: each.name,
      tags: [...tags],
      properties: { ...properties },
      ...(each.deviceId === null ? {} : { deviceId: each.deviceId }),
      verdict: state?.verdict ?? null,
      ...(state?.reason ? { reason: state.reason } : {}),
      attempts,
    })
  }
  const verdict = verdictOfState(last.to)
  const refused = context?.failure
  return {
    testRunId,
    state: stateOf(last.to, last.tags.includes(IN_FLIGHT)),
    verdict,
    startedAt: requested.at,
    ...(verdict === null ? {} : { endedAt: last.at }),
    folder,
    flows,
    ...(refused ? { error: { ...refused, ...problemsOf(journal, refusal) } } : {}),
  }
}

/** In one go: for a process that has nothing else to do. */
export const readTestRun = (...asked: Parameters<typeof readingTestRun>): TestRun | undefined =>
  withoutPauses(readingTestRun(...asked))

/** An attempt that no process has ended, in a flow that went on or was given up without it. */
const leftAttempt = (attempt: FlowAttempt, flow: QueuedFlow | undefined): FlowAttempt => {
  const isLeft = attempt.verdict === null && (flow?.state === 'ended' || attempt.attempt !== flow?.attempts)
  if (!isLeft) return attempt
  return { ...attempt, verdict: flow?.verdict === 'cancelled' ? 'cancelled' : 'indeterminate' }
}

const problemsOf = (journal: Reading, record: Parameters<Journal['body']>[0] | undefined) => {
  const problems = record && journal.body(record)
  if (!Array.isArray(problems)) return {}
  const hint = problemsHint(problems as readonly Partial<Problem>[])
  return { details: { problems }, ...(hint === undefined ? {} : { hint }) }
}

const stateOf = (state: string, isInFlight: boolean): TestRun['state'] => {
  if (verdictOfState(state) !== null) return 'ended'
  if (!isInFlight) return 'interrupted'
  return state === 'planning' ? 'planning' : 'running'
}

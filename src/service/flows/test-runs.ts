/** Runs of flows as routes and commands use them: begun, followed, resumed, cancelled and read. */
import { join, resolve } from 'node:path'
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { TestProgress, TestRun } from '../../contracts/flows/test-run.ts'
import { SECRET_CHARS_MIN } from '../../contracts/flows/test-run-request.ts'
import { TEST_RUNS_MAX } from '../../contracts/limits/limits.ts'
import type { StoredEvent } from '../../contracts/records/journal.ts'
import { missingTerm } from '../../device/link/select-device.ts'
import type { TellResult } from '../../runtime/host.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { inSlices } from '../../runtime/yielding.ts'
import { unlistedNames } from './choose-phones.ts'
import type { FlowsDeps, LiveTestRun } from './deps.ts'
import { type FlowFiles, flowLibrary } from './language/flow-library.ts'
import { absentPaths } from './language/plan/plan-flows.ts'
import { invalidFlows, type Problem } from './language/problem.ts'
import { createPlanFirst } from './plan-first.ts'
import { filesAsPlanned, outputFolderOf, type Plan, planRun, takePlan } from './plan-run.ts'
import { plannedFlowsOf, readingTestRun, recordedRequestOf, testRunActor, verdictOfState } from './read-test-run.ts'
import {
  type FlowsRequest,
  otherValues,
  type RecordedRequest,
  type Rerun,
  recordedRequest,
  rerunOf,
} from './request.ts'
import { flowRunActor } from './run/command-log.ts'

const RUNS_LISTED = 100

export type BegunRun =
  | { readonly ok: true; readonly testRunId: string; readonly ended: Promise<TestRun> }
  | { readonly ok: false; readonly error: ErrorObject }

interface StartOptions {
  /** Flows that cannot run are refused, and nothing is recorded; otherwise the run ends with that error. */
  readonly isPlannedFirst?: boolean
  /** Aborted when nobody hears the answer any more: what is not yet planned is not begun. */
  readonly leave?: AbortSignal | undefined
  /** Without them the run that has ended is read: many thousand commands of many runs are not held at once. */
  readonly withCommands?: boolean
}

type ProgressListener = (progress: TestProgress) => void

const notFound = (testRunId: string): ErrorObject =>
  failure('TEST_RUN_NOT_FOUND', `The journal has no run of flows with the id ${testRunId}.`)

/** Undefined where each value can be kept out of what is written. */
const unkeepable = ({ env = {}, secrets = [] }: FlowsRequest): ErrorObject | undefined => {
  const name = secrets.find(each => (env[each] ?? '').length < SECRET_CHARS_MIN)
  if (name === undefined) return undefined
  const problem = `secrets: env.${name} needs at least ${SECRET_CHARS_MIN} characters: a shorter one would be found in every text.`
  return failure('INVALID_BODY', problem, { hint: 'Leave it out of secrets if it need not be kept secret.' })
}

const crowded = (): ErrorObject =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${TEST_RUNS_MAX} runs of flows are in progress; nothing was started.`, {
    details: { runsMax: TEST_RUNS_MAX },
    hint: 'Try again when one of them has ended, or give one run several flows.',
  })

/** A phone that is listed is waited for; one that is not may never come. */
const unknownDevice = async (
  { devices, leaseId }: FlowsRequest,
  { phones }: FlowsDeps,
): Promise<ErrorObject | undefined> => {
  if (devices === undefined) return undefined
  const [unfinished] = devices.flatMap(device => missingTerm(device) ?? [])
  if (unfinished) return unfinished
  try {
    const listed = await phones.list(new AbortController().signal, leaseId)
    const [name] = unlistedNames(listed, devices)
    const connected = listed.map(({ deviceId }) => deviceId)
    return name === undefined ? undefined : deviceNotListed(name, connected)
  } catch (error) {
    return failure('ADB_SERVER_FAILED', `The devices cannot be listed: ${messageOf(error)}`)
  }
}

const deviceNotListed = (name: string, connected: readonly string[]): ErrorObject =>
  failure('DEVICE_NOT_FOUND', `Device ${name} is not connected: no flow was begun.`, {
    details: { connected: [...connected] },
    hint:
      connected.length === 0
        ? 'Connect a phone or start an emulator; `GET /devices` lists none.'
        : `Name devices of ${connected.join(', ')}, or none: then every phone that is free takes flows.`,
  })

const notResumable = (testRunId: string, why: string): ErrorObject =>
  failure('TEST_RUN_NOT_RESUMABLE', `The run ${testRunId} cannot be resumed: ${why}.`)

const untold = (testRunId: string, refusal: Exclude<TellResult, { kind: 'told' }>): ErrorObject => {
  if (refusal.kind === 'held') return notResumable(testRunId, `process ${refusal.lease.holder.pid} is at it`)
  const { message, reason, hint } = refusal.error
  return failure('JOURNAL_UNAVAILABLE', `${message}.`, { details: { reason }, hint })
}

export const createTestRuns = (deps: FlowsDeps) => {
  const { clock, ids, home, runs, secrets } = deps
  const planFirst = createPlanFirst(deps)

  const targetOf = (testRunId: string) => ({ id: testRunActor(testRunId), machine: 'test-run', input: { testRunId } })

  /** A run may have many thousand commands: other work has its turn while it is read. */
  const read = (testRunId: string, withCommands = true): Promise<TestRun | undefined> =>
    inSlices(readingTestRun(deps.journal, testRunId, { withCommands }), { clock })

  const open = (
    request: RecordedRequest,
    env: Readonly<Record<string, string>>,
    onProgress: ProgressListener,
    limited: (files: FlowFiles) => FlowFiles = files => files,
  ): LiveTestRun => ({
    request,
    env,
    library: flowLibrary(limited(deps.filesFor(request))),
    planned: [],
    outputFolder: outputFolderOf(request, undefined),
    onProgress,
    onBroken: () => {},
  })

  /** Lets the machine run to its end; what this process holds of the run is given up then. */
  const runToEnd = async (
    testRunId: string,
    run: LiveTestRun,
    event: StoredEvent & { body?: unknown },
    withCommands = true,
  ): Promise<BegunRun> => {
    const { host } = deps
    const forget = (run.request.secrets ?? []).map(name => secrets.add(testRunId, name, run.env[name] ?? ''))
    runs.set(testRunId, run)
    let endWaiting = () => {}
    const over = new Promise<void>(resolve => {
      endWaiting = resolve
    })
    const unlisten = [
      host.onEmitted((id, { type }) => {
        if (id === testRunActor(testRunId) && type === 'run.ended') endWaiting()
      }),
      host.onStop(async () => endWaiting()),
    ]
    run.onBroken = () => {
      if (!runs.has(testRunId)) return
      deps.note(
        `The journal did not take an event, so the run stopped: svc test --resume ${testRunId} goes on with it.`,
      )
      endWaiting()
    }
    const close = () => {
      runs.delete(testRunId)
      for (const each of [...forget, ...unlisten]) each()
    }
    const delivery = await host.tell(targetOf(testRunId), event)
    if (delivery.kind !== 'told') {
      close()
      return { ok: false, error: untold(testRunId, delivery) }
    }
    const ended = over.then(async () => {
      close()
      const testRun = await read(testRunId, withCommands)
      if (!testRun) throw new Error(`the journal has lost the run ${testRunId}`)
      if (testRun.verdict !== null) run.onProgress({ at: clock.now(), type: 'run.ended', verdict: testRun.verdict })
      return testRun
    })
    return { ok: true, testRunId, ended }
  }

  return {
    async start(
      request: FlowsRequest,
      onProgress: ProgressListener = () => {},
      { isPlannedFirst = false, withCommands = true, leave }: StartOptions = {},
    ): Promise<BegunRun> {
      const refusal = unkeepable(request) ?? (await unknownDevice(request, deps))
      if (refusal) return { ok: false, error: refusal }
      if (runs.size >= TEST_RUNS_MAX) return { ok: false, error: crowded() }
      const testRunId = ids.at(clock.now())
      const recorded = recordedRequest(request, join(home, 'test-runs', testRunId), secrets.tokenOf)
      const { retries = 0, failFast = false, env = {} } = request
      const opened = (limited?: (files: FlowFiles) => FlowFiles) => open(recorded, env, onProgress, limited)
      const planned = isPlannedFirst ? await planFirst(opened, leave) : { run: opened() }
      if ('error' in planned) return { ok: false, error: planned.error }
      const { run } = planned
      if (!isPlannedFirst) {
        // A mistyped path is no run: `last` stays the run before it.
        const paths = (request.paths ?? []).map(path => resolve(request.cwd, path))
        const absent = await absentPaths(run.library, paths)
        if (absent.length > 0) return { ok: false, error: invalidFlows(absent) }
      }
      // Others have begun while the files of this one were read.
      if (runs.size >= TEST_RUNS_MAX) return { ok: false, error: crowded() }
      return runToEnd(
        testRunId,
        run,
        { type: 'run.requested', testRunId, retries, failFast, body: recorded },
        withCommands,
      )
    },
    /** Goes on after the last proven command. `env` has the values of secrets again: they are in no journal. */
    async resume(
      testRunId: string,
      env: Readonly<Record<string, string>>,
      onProgress: ProgressListener = () => {},
    ): Promise<BegunRun> {
      const { host, journal } = deps
      const request = recordedRequestOf(journal, testRunId)
      if (!request) return { ok: false, error: notFound(testRunId) }
      const others = otherValues(request, env, secrets.tokenOf)
      if (others !== undefined) return { ok: false, error: notResumable(testRunId, others) }
      await host.recover({ machine: 'device' })
      await host.recover({ machine: 'flow-run' })
      // The attempts of a process that was killed keep no phone.
      await host.recover({ machine: 'reservation' })
      await host.recover({ actor: testRunActor(testRunId) })
      const state = journal.last(testRunActor(testRunId))
      if (verdictOfState(state?.to) !== null) return { ok: false, error: notResumable(testRunId, 'it is over') }
      if (state?.tags.includes(IN_FLIGHT))
        return { ok: false, error: notResumable(testRunId, 'another process is at it') }
      const run = open(request, { ...request.env, ...env }, onProgress)
      // The run has its phones on record: they are not counted again.
      const files = { ...run, request: { ...request, shardAll: false } }
      const plan = await planRun(files, deps, new AbortController().signal)
      if (!plan.ok)
        return { ok: false, error: notResumable(testRunId, plan.problems[0]?.message ?? 'its flows are gone') }
      const planned = filesAsPlanned(plannedFlowsOf(journal, testRunId), plan.files)
      if (!planned.ok)
        return { ok: false, error: notResumable(testRunId, `${planned.missing} is no longer one of its flows`) }
      takePlan(run, { ...plan, files: planned.files })
      return runToEnd(testRunId, run, { type: 'run.resumed', requestId: ids.at(clock.now()) })
    },
    /** The attempts that are under way end, and no other begins. Undefined for a run that nobody knows. */
    async cancel(testRunId: string): Promise<{ ok: true; testRun: TestRun } | { ok: false; error: ErrorObject }> {
      if (!(await read(testRunId, false))) return { ok: false, error: notFound(testRunId) }
      await deps.host.recover({ actor: testRunActor(testRunId) })
      // One that is over stays as it is.
      if (verdictOfState(deps.journal.last(testRunActor(testRunId))?.to) !== null)
        return { ok: true, testRun: (await read(testRunId, false)) as TestRun }
      const delivery = await deps.host.tell(targetOf(testRunId), {
        type: 'run.cancelled',
        reason: 'somebody cancelled it',
      })
      if (delivery.kind !== 'told') return { ok: false, error: untold(testRunId, delivery) }
      return { ok: true, testRun: (await read(testRunId, false)) as TestRun }
    },
    read,
    /** The newest first. */
    async list(): Promise<TestRun[]> {
      const found: TestRun[] = []
      for (const { actor } of deps.journal.actors({ machine: 'test-run', limit: RUNS_LISTED })) {
        const run = await read(actor.slice(testRunActor('').length), false)
        if (run) found.push(run)
      }
      return found
    },
    /** Plans what would run, with every file checked; nothing is recorded. */
    plan(request: FlowsRequest, signal: AbortSignal): Promise<Plan> {
      const run = open(recordedRequest(request, '', secrets.tokenOf), request.env ?? {}, () => {})
      return planRun(run, deps, signal)
    },
    /** The request for a run that repeats what of an earlier one did not pass. Undefined for a run that nobody knows. */
    async rerunOf(testRunId: string): Promise<Rerun | undefined> {
      const request = recordedRequestOf(deps.journal, testRunId)
      if (!request) return undefined
      // A run whose process died is no longer under way.
      await deps.host.recover({ actor: testRunActor(testRunId) })
      const run = await read(testRunId, false)
      return run && rerunOf(request, run)
    },
    actorsOf: (testRunId: string) => ({ run: testRunActor(testRunId), attempt: flowRunActor }),
  }
}

export type TestRuns = ReturnType<typeof createTestRuns>
export type { Problem }

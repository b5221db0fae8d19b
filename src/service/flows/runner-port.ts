/** The port of the test-run machine that runs: watches the phones, and performs the attempts that the queue has assigned. */
import { isAbsolute, relative } from 'node:path'
import type { FlowRunEmitted } from '../../../machines/flow-run/flow-run-setup.ts'
import { type Assignment, attemptEnded } from '../../../machines/test-run/test-run-queue.ts'
import type { RunnerInput, TestRunContext } from '../../../machines/test-run/test-run-setup.ts'
import { hintAt } from '../../contracts/door-words.ts'
import type { Verdict } from '../../contracts/flows/test-run.ts'
import { pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Port } from '../../runtime/port.ts'
import { inSlices } from '../../runtime/yielding.ts'
import { nobodyReady, phonesForFlows } from './choose-phones.ts'
import { withOwnPhone } from './claim-phone.ts'
import { type FlowsDeps, type LiveTestRun, whenBroken } from './deps.ts'
import { ATTEMPT_MS_MAX } from './language/limits.ts'
import { isLostPhone, type ListedPhone, type Phones } from './phones.ts'
import { flowRunIdOf, readingFlowAttempt, testRunActor, verdictOfState } from './read-test-run.ts'
import { executionInDoubt, flowRunActor, type RecordedAttempt, readingAttempt } from './run/command-log.ts'
import { openAttempt } from './run/open-attempt.ts'
import { changedError, changedSince } from './run/read-files.ts'

const shownFile = (cwd: string, file: string) => (isAbsolute(file) ? relative(cwd, file) : file)

/** How often the phones are looked for. */
const LOOK_MS = 1_000

const CANCELLED = 'its run was cancelled'

interface Ended {
  verdict: Verdict
  /** The phone is gone, and it is proven what the attempt has done: the flow begins anew. */
  lostPhone: boolean
  /** The phone is gone, and an execution of the attempt may have acted: only a retry begins the flow anew. */
  inDoubt?: string
}

export const runnerPort =
  (deps: FlowsDeps): Port<RunnerInput> =>
  async ({ testRunId, running }, { send, signal, onEvent }) => {
    const run = deps.runs.get(testRunId)
    if (!run) throw new Error(`the run ${testRunId} is not of this process`)
    const { host, journal, clock, phones, attempts, note } = deps
    whenBroken(deps, testRunId, signal)
    const under = new Set<string>()
    /** Phones that attempts have lost: they take flows again once they are found ready. */
    const lost = new Set<string>()
    const unwanted = new AbortController()
    const isUnwanted = () => unwanted.signal.aborted
    const ending = AbortSignal.any([signal, unwanted.signal])

    const targetOf = (flowRunId: string) => ({ id: flowRunActor(flowRunId), machine: 'flow-run', input: { flowRunId } })

    const recordedOf = (flowRunId: string) => inSlices(readingAttempt(journal, flowRunId), { clock })

    /** The first failure of an attempt decides. */
    const endOf = async (verdict: Verdict, recorded: RecordedAttempt): Promise<Ended> => {
      const code = recorded.stages.find(({ failureCode }) => failureCode !== null)?.failureCode
      if (!code || !isLostPhone(code)) return { verdict, lostPhone: false }
      const inDoubt = await executionInDoubt(recorded, phones)
      return inDoubt === undefined ? { verdict, lostPhone: true } : { verdict, lostPhone: false, inDoubt }
    }

    const perform = async ({ flow, attempt, deviceId }: Assignment, ownPhones: Phones): Promise<Ended> => {
      const flowRunId = flowRunIdOf(testRunId, flow, attempt)
      const before = await recordedOf(flowRunId)
      const isOver = verdictOfState(before.last?.to)
      if (isOver) return endOf(isOver, before)
      const files = run.planned[flow]
      if (!files) throw new Error(`the run has no flow ${flow}`)
      const changed = before.requested ? await changedSince(before, files, run.library) : []
      if (changed.length > 0) {
        const error = changedError(changed.map(file => shownFile(run.request.cwd, file)))
        await host.tell(targetOf(flowRunId), { type: 'flow.refused', code: error.code, body: { error } })
        return { verdict: 'indeterminate', lostPhone: false }
      }
      const { live, close } = await openAttempt({
        deps,
        run,
        testRunId,
        flowRunId,
        flow,
        attempt,
        deviceId,
        files,
        before,
        phones: ownPhones,
      })
      if (ending.aborted) {
        await close()
        if (isUnwanted() && before.requested)
          await host.tell(targetOf(flowRunId), { type: 'flow.cancelled', reason: CANCELLED })
        return { verdict: 'cancelled', lostPhone: false }
      }
      attempts.set(flowRunId, live)
      under.add(flowRunId)
      const file = shownFile(run.request.cwd, files.flow.file)
      run.onProgress({
        at: clock.now(),
        type: 'attempt.begun',
        flowRunId,
        flow: file,
        name: files.name,
        attempt,
        deviceId,
      })
      try {
        const event = before.requested
          ? { type: 'flow.resumed', requestId: deps.ids.at(clock.now()) }
          : {
              type: 'flow.requested',
              flowRunId,
              testRunId,
              flow,
              file: files.flow.file,
              deviceId,
              attempt,
              digest: files.digest,
              body: { files: files.files },
            }
        const outcome = await host.ask<FlowRunEmitted>(targetOf(flowRunId), event, {
          matches: emitted => emitted.type === 'flow.ended',
          until: clock.now() + ATTEMPT_MS_MAX,
        })
        if (outcome.kind === 'answered') return await endOf(outcome.emitted.verdict, await recordedOf(flowRunId))
        if (outcome.kind === 'expired') {
          await host.tell(targetOf(flowRunId), {
            type: 'flow.cancelled',
            reason: `it has run for ${ATTEMPT_MS_MAX / 3_600_000} hours, and none may run longer`,
          })
        }
        return { verdict: 'indeterminate', lostPhone: false }
      } finally {
        under.delete(flowRunId)
        attempts.delete(flowRunId)
        await close()
      }
    }

    /** Cancelled while its phone belonged to another run. */
    const leftBefore = async ({ flow, attempt }: Assignment) => {
      const flowRunId = flowRunIdOf(testRunId, flow, attempt)
      if ((await recordedOf(flowRunId)).requested)
        await host.tell(targetOf(flowRunId), { type: 'flow.cancelled', reason: CANCELLED })
      await tellEnd(run, flow, attempt, { verdict: 'cancelled', lostPhone: false })
    }

    const runAttempt = async (assignment: Assignment) => {
      const { flow, attempt, deviceId } = assignment
      const flowRunId = flowRunIdOf(testRunId, flow, attempt)
      const wanted = { deviceId, flowRunId, leaseId: run.request.leaseId, signal: ending }
      const work = (ownPhones: Phones) => perform(assignment, ownPhones)
      const ended = await withOwnPhone(deps, wanted, work).catch((error: unknown): Ended => {
        note(`the attempt ${flowRunId} broke: ${messageOf(error)}`)
        return { verdict: 'indeterminate', lostPhone: false }
      })
      if (!ended) {
        await leftBefore(assignment)
        return
      }
      if (ended === 'reserved') {
        lost.add(deviceId)
        await send({ type: 'attempt.ended', flow, attempt, verdict: 'indeterminate', lostPhone: true })
        return
      }
      const { inDoubt } = ended
      if (inDoubt !== undefined) {
        note(`${deviceId} was lost, and execution ${inDoubt} may have acted on it: only --retries begins its flow anew`)
        await send({ type: 'phone.left', deviceId })
      }
      await tellEnd(run, flow, attempt, ended)
      if (ended.lostPhone || inDoubt !== undefined) lost.add(deviceId)
    }

    /** What cannot be recorded is settled by whoever opens the run next. */
    const begin = (assignment: Assignment): void => {
      runAttempt(assignment).catch((error: unknown) => {
        const flowRunId = flowRunIdOf(testRunId, assignment.flow, assignment.attempt)
        note(`the end of the attempt ${flowRunId} could not be told: ${messageOf(error)}`)
      })
    }

    const tellEnd = async (
      { onProgress }: LiveTestRun,
      flow: number,
      attempt: number,
      { verdict, lostPhone }: Ended,
    ) => {
      const flowRunId = flowRunIdOf(testRunId, flow, attempt)
      const about = { flowRunId, deviceId: '', attempt, cwd: run.request.cwd, videos: [], withCommands: false }
      const error = (await inSlices(readingFlowAttempt(journal, about), { clock }))?.error
      const context = host.snapshot(testRunActor(testRunId))?.context as TestRunContext | undefined
      const isRetried =
        context !== undefined &&
        attemptEnded(context, { flow, attempt, verdict, lostPhone }).flows[flow]?.state !== 'ended'
      onProgress({
        at: clock.now(),
        type: 'attempt.ended',
        flowRunId,
        verdict,
        ...(error ? { error } : {}),
        isRetried,
      })
      await send({ type: 'attempt.ended', flow, attempt, verdict, lostPhone })
    }

    onEvent((event: { type: string; assignments?: readonly Assignment[] }) => {
      if (event.type === 'attempts.wanted') {
        for (const assignment of event.assignments ?? []) begin(assignment)
      }
      if (event.type === 'attempts.unwanted') {
        unwanted.abort()
        for (const flowRunId of under)
          void host.tell(targetOf(flowRunId), { type: 'flow.cancelled', reason: CANCELLED })
      }
    })
    for (const assignment of running) begin(assignment)

    const { devices, phonesMax = Number.POSITIVE_INFINITY, cwd } = run.request
    let known: readonly string[] = []
    let isTold = false
    let listed: readonly ListedPhone[] = []
    while (!ending.aborted) {
      listed = await phones.list(signal, run.request.leaseId).catch(() => listed)
      if (signal.aborted) return
      const ready = phonesForFlows(listed, devices, known)
      const usable = known.filter(each => !lost.has(each))
      lost.clear()
      // Phones that take flows already go on, and others join while there is room.
      const kept = usable.filter(each => ready.includes(each))
      const joining = ready.filter(each => !kept.includes(each)).slice(0, Math.max(0, phonesMax - kept.length))
      if (!isTold) {
        const flows = run.planned.map(({ name, flow }) => ({ flow: shownFile(cwd, flow.file), name }))
        run.onProgress({ at: clock.now(), type: 'run.begun', testRunId, flows, phones: joining })
        if (joining.length === 0) {
          const words = nobodyReady(listed, devices)
          note(hintAt('cli', words))
          run.onProgress({ at: clock.now(), type: 'phones.awaited', words })
        }
        isTold = true
      }
      for (const deviceId of usable.filter(each => !kept.includes(each))) await send({ type: 'phone.left', deviceId })
      for (const deviceId of joining) await send({ type: 'phone.joined', deviceId })
      known = [...kept, ...joining]
      await pause(clock, LOOK_MS, ending)
    }
  }

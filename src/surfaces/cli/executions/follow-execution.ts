/** An execution of this process while it runs: `--verbose`, and what a signal that comes meanwhile is answered. */
import type { DeviceEmitted } from '../../../../machines/device/device-setup.ts'
import type { ExecutionSuccess } from '../../../contracts/executions/execution-result.ts'
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import { SHUTDOWN_GRACE_MS } from '../../../contracts/limits/limits.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { toTransition } from '../../../runtime/transitions.ts'
import type { Progress, Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import type { CommandParts } from '../../command-parts.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { placeLine, transitionLine } from '../journal/transition-line.ts'
import { executionOutput, tellWhenLate } from './execution-command.ts'

type Ran = Result<ExecutionSuccess>

interface Accepted {
  /** `device:<serial>` */
  actor: string
  executionId: string
}

/** Each transition of the actor that is ours while we own it, from now on. The end waits for none: it looks itself. */
const showTransitions = (services: CommandParts, { io }: CommandContext, accepted: () => Accepted | undefined) => {
  const journal = services.journal()
  let shownSeq = journal.head()
  const show = (records: readonly JournalRecord[]) => {
    for (const record of records) {
      if (record.seq > shownSeq && record.actor === accepted()?.actor) io.note(transitionLine(toTransition(record)))
    }
    shownSeq = Math.max(shownSeq, records.at(-1)?.seq ?? 0)
  }
  const subscription = journal.subscribe(show, { after: shownSeq })
  return () => {
    subscription.close()
    const ours = accepted()
    if (ours) show(journal.records({ actor: ours.actor, after: shownSeq }))
  }
}

const tellPlace =
  ({ io }: CommandContext) =>
  (progress: Progress) => {
    if (progress.kind === 'waiting') io.note(placeLine(progress.executionId, progress.deviceId, progress.place))
  }

const dispatchedOf = (result: Ran): unknown => (result.ok ? true : result.error.details?.dispatched)

const NO_DOUBT = 'was dispatched: what may have run changes nothing on the device'

const mayHaveRun = async (service: Service, executionId: string): Promise<boolean> => {
  const looked = await service['executions.get']({ executionId }, { context: { caller: 'cli' } })
  return !looked.ok || isInDoubt(looked.value.execution)
}

const tellEnd = async (result: Ran, service: Service, { log }: CommandContext, accepted: Accepted | undefined) => {
  if (!accepted) return log.error('Interrupted: nothing was sent to a device.')
  const { executionId } = accepted
  const ended = result.ok
    ? 'was dispatched and the device has answered'
    : dispatchedOf(result) === false
      ? 'was not dispatched: nothing was sent to the device'
      : (await mayHaveRun(service, executionId))
        ? 'was dispatched: the device may have carried it out'
        : NO_DOUBT
  log.error(`Interrupted: execution ${executionId} ${ended}. Its receipt: svc executions show ${executionId}`)
}

/** Whoever comes next finds the device busy as long as this process owns it, and not in the middle of an action. */
const tellWait = (services: CommandParts, { log }: CommandContext, accepted: Accepted | undefined) => {
  if (!accepted || !services.host().inFlight().includes(accepted.actor)) return
  log.error(
    `Waiting up to ${SHUTDOWN_GRACE_MS / 1_000} s for the device to finish what it was sent. Interrupt again to exit at once.`,
  )
}

/** A fixed reason, because an abort with none makes an exception with a stack. */
const INTERRUPTED = 'the command was interrupted'

/** `run` is given the service of this process, and a signal that is aborted when the command is interrupted. */
export const runFollowed = async (
  call: CommandContext,
  run: (service: Service, options: ServiceCall) => Promise<Ran>,
): Promise<CommandResult> => {
  const { log, signal } = call
  const services = await call.services('execution')
  const cancel = new AbortController()
  let accepted: Accepted | undefined
  let stopTelling = () => {}
  const stopListening = services.host().onEmitted((actor, emitted) => {
    const { type, executionId } = emitted as DeviceEmitted
    if (type !== 'execution.accepted' || accepted) return
    accepted = { actor, executionId }
    stopTelling = tellWhenLate(call, receipt => receipt.executionId === executionId)
    log.info(`execution ${executionId} was accepted for ${actor}`)
  })
  const stopShowing = call.isOn('verbose') ? showTransitions(services, call, () => accepted) : () => {}
  const onSignal = () => {
    if (!accepted) return cancel.abort(INTERRUPTED)
    stopShowing()
    log.error(`Execution ${accepted.executionId} is cancelled.`)
    cancel.abort(INTERRUPTED)
  }
  signal.addEventListener('abort', onSignal, { once: true })
  try {
    if (signal.aborted) cancel.abort(INTERRUPTED)
    const context = { caller: 'cli', skillRunId: skillRunIn(call.env), leaseId: leaseOf(call) } as const
    const progress = call.isOn('verbose') ? { onProgress: tellPlace(call) } : {}
    const service = await services.service()
    const result = await run(service, { context, signal: cancel.signal, ...progress })
    if (signal.aborted) {
      await tellEnd(result, service, call, accepted)
      tellWait(services, call, accepted)
    } else stopShowing()
    return result.ok ? executionOutput(result.value, result.executionId) : { ok: false, output: result.error }
  } finally {
    signal.removeEventListener('abort', onSignal)
    stopListening()
    stopTelling()
  }
}

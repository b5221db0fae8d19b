/**
 * Adds to a failed step how the application in front failed meanwhile: it crashed, or did not respond. The log is read for
 * failed steps only, once, from when the execution was sent; in a flow or a WebDriver session, from when it last acted, for
 * there a tap and the look for what it leads to are executions of their own. A WebDriver client reads every error, so in its
 * session only the first failure after a crash tells the crash. A flow keeps its last error, so there every failure does.
 */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import type { AppCrash } from '../../../contracts/device/crash.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { EnvelopeError } from '../../../contracts/executions/execution-result.ts'
import { FLOW_SOURCE, WEBDRIVER_SOURCE } from '../../../contracts/json/literals.ts'
import { FAILURE_ANSWER_MS, FAILURE_LOOK_MS } from '../../../contracts/limits/limits.ts'
import type { CallOptions, Link } from '../../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../../device/link/link-limits.ts'
import { createRecordReader, type LogRecord } from '../../../device/logs/log-records.ts'
import { readCrashes } from '../../../device/logs/read-crashes.ts'
import type { SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import { pause, sinceMs } from '../../../runtime/clock.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import type { Dispatch } from '../dispatch.ts'
import { maySee } from '../screens/failure-look.ts'
import type { ExecutionRun } from './execution-run.ts'

/** The log is read from a whole second on, for which the clock of the device may be read late. */
const SLACK_S = 2
const MS_PER_SECOND = 1_000
const NANOS_PER_MS = 1_000_000
const OVER = 'the look is over'

/** The device works out the moment on its own clock, for that of the host may differ. */
const logSince = (seconds: number): string =>
  `logcat -B -d -b crash -b system -T $(($(date +%s) - ${Math.ceil(seconds)})).000`

const DEVICE_TIME = commandLine('date', '+%s.%N')

/**
 * When that time began, on the device's clock: at the earliest, for the answer was under way since that was read.
 * Where the device tells whole seconds, it is up to one earlier; 0 where it tells no time.
 */
const beganAt = async (link: Link, call: CallOptions, spentMs: () => number): Promise<number> => {
  const { stdout } = await link.shell(DEVICE_TIME, { ...call, maxBytes: OUTPUT_BYTES_MAX.word })
  const deviceMs = Number.parseFloat(stdout) * MS_PER_SECOND
  return Number.isFinite(deviceMs) ? deviceMs - spentMs() : 0
}

const timeOf = ({ sec, nsec }: LogRecord): number => sec * MS_PER_SECOND + nsec / NANOS_PER_MS

const isOfTask = ({ execution: { source } }: Dispatch): boolean => source === FLOW_SOURCE || source === WEBDRIVER_SOURCE

/** Notes when an execution acted that has succeeded: what comes of it shows in the next one of its task. */
export const noteActs = ({ dispatch, session, control }: ExecutionRun): void => {
  const { actions, taskId } = dispatch.execution
  const sent = control.dispatched()
  if (!sent || !isOfTask(dispatch) || actions.every(({ type }) => onlyLooks(type))) return
  session.crashes.acted(taskId, sent)
}

/** For how long the execution is under way; where it is one of a task, since that task acted before it. */
const elapsedMs = ({ dispatch, session, control, clock }: ExecutionRun): number => {
  const acted = isOfTask(dispatch) ? session.crashes.lastActed(dispatch.execution.taskId) : undefined
  return acted ? sinceMs(clock, acted) : control.spentMs()
}

const lookFor = async (run: ExecutionRun, { ms, signal }: { ms: number; signal: AbortSignal }) => {
  const { clock, session } = run
  const call = { deadline: clock.now() + ms, signal }
  const link = await session.link(call)
  const spentMs = () => elapsedMs(run)
  const seconds = spentMs() / MS_PER_SECOND + SLACK_S
  // Together, so that a slow link costs no second turn.
  const [began, bytes] = await Promise.all([
    beganAt(link, call, spentMs),
    link.exec(logSince(seconds), { ...call, maxBytes: OUTPUT_BYTES_MAX.state }),
  ])
  const records = [...createRecordReader()(bytes)]
  return readCrashes(records.filter(record => timeOf(record) >= began))
}

const isOfSession = ({ execution }: Dispatch): boolean => execution.source === WEBDRIVER_SOURCE

const opened = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap(action => (action.type === 'open_app' ? [action.params.applicationId] : []))

const sentence = ({ kind, applicationId, exception, message, reason }: AppCrash): string => {
  if (kind === 'anr') return `${applicationId} did not respond${reason === undefined ? '' : ` (${reason})`}.`
  const cause = [exception, message].filter(part => part !== undefined).join(': ')
  return `${applicationId} crashed${cause === '' ? '' : ` (${cause.split('\n', 1)[0]})`}.`
}

const withCrash = (error: EnvelopeError, crash: AppCrash): EnvelopeError => {
  const log = 'See `GET /devices/<id>/logs` for its log.'
  const hint = [sentence(crash), error.hint ?? log].join(' ')
  return { ...error, details: { ...error.details, crash }, hint }
}

export interface CrashLook {
  /** The failed part with what was found; as it was where nothing was, or not in time. */
  addTo(part: SegmentResult): Promise<SegmentResult>
}

/** Begins to look, so that other looks can be taken meanwhile. It ends at once when the execution is cancelled or overdue. */
export const startCrashLook = (run: ExecutionRun): CrashLook => {
  const { clock, control, dispatch, session } = run
  const ms = Math.floor(Math.min(FAILURE_LOOK_MS, control.answerLeftMs() - FAILURE_ANSWER_MS))
  if (ms <= 0 || control.halt.aborted || control.dispatched() === undefined) return { addTo: async part => part }
  const over = new AbortController()
  const forget = control.halt.onAbort(() => over.abort(OVER))
  const looking = lookFor(run, { ms, signal: over.signal }).catch(() => undefined)
  const found = Promise.race([looking, pause(clock, ms, over.signal).then(() => undefined)]).finally(() => {
    forget()
    over.abort(OVER)
  })
  return {
    async addTo(part) {
      const logged = await found
      if (!logged || part.error === null) return part
      const { foreground } = (part.error.details ?? {}) as { foreground?: unknown }
      const used = new Set<unknown>([...logged.inFront, ...opened(dispatch.execution.actions), foreground])
      const crash = logged.crashes.findLast(({ applicationId }) => used.has(applicationId))
      if (!crash || (isOfSession(dispatch) && !session.crashes.tell(dispatch.execution.taskId, crash))) return part
      const { kind, applicationId, time } = crash
      const isShown = !dispatch.isScreenHidden && maySee(dispatch, applicationId)
      return { ...part, error: withCrash(part.error, isShown ? crash : { kind, applicationId, time }) }
    },
  }
}

/** What the device machine has told one running execution, and the gate that each segment passes before its bytes leave. */
import type { CallOptions } from '../adb/link.ts'
import { ENVELOPE_GRACE_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { PortTools } from '../runtime/port.ts'

export interface Control {
  /** Records that the segment leaves now. False: then nothing of it may leave. */
  dispatch(segment: number): boolean
  /** Aborted as soon as nothing further may leave for the device. */
  readonly halt: AbortSignal
  /** Aborted when a result is not waited for any more either. */
  readonly end: AbortSignal
  /** The machine's wait has passed, and it wants to hear what was seen so far. */
  isOverdue(): boolean
  /** Cancelled and answered already; the machine waits for the device to be free. */
  isCancelled(): boolean
  /** When the first segment left. */
  dispatchedAt(): number | undefined
  /** For calls that prepare a segment. */
  preparing(): CallOptions
  /** For calls that are the segment, which a cancellation does not take back. */
  acting(): CallOptions
}

export interface ControlOptions {
  executionId: string
  timeoutMs: number
  tools: PortTools
  clock: Clock
}

/** For everything up to the first dispatch; the machine has a limit of its own, which may be shorter. */
const PREPARE_MS = 10_000
/** Without a reason of its own, each abort makes an exception with a stack, once per execution and signal. */
const OVER = 'the execution is over'

export const createControl = ({ executionId, timeoutMs, tools, clock }: ControlOptions): Control => {
  const halt = new AbortController()
  const end = new AbortController()
  const startedAt = clock.now()
  let dispatchedAt: number | undefined
  let overdue = false
  let cancelled = false

  const stop = () => {
    halt.abort(OVER)
    end.abort(OVER)
  }
  if (tools.signal.aborted) stop()
  tools.signal.addEventListener('abort', stop, { once: true })
  tools.onEvent(event => {
    if (event.type === 'execution.cancelled') cancelled = true
    if (event.type === 'deadline.passed') overdue = true
    if (overdue) stop()
    halt.abort(OVER)
  })

  const deadline = () =>
    dispatchedAt === undefined ? startedAt + PREPARE_MS : dispatchedAt + timeoutMs + ENVELOPE_GRACE_MS

  return {
    halt: halt.signal,
    end: end.signal,
    dispatch(segment) {
      if (halt.signal.aborted) return false
      const at = clock.now()
      if (!tools.send({ type: 'execution.dispatched', executionId, segment })) {
        stop()
        return false
      }
      dispatchedAt ??= at
      return !halt.signal.aborted
    },
    isOverdue: () => overdue,
    isCancelled: () => cancelled,
    dispatchedAt: () => dispatchedAt,
    preparing: () => ({ deadline: deadline(), signal: halt.signal }),
    acting: () => ({ deadline: deadline(), signal: end.signal }),
  }
}

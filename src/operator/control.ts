/** What the device machine has told one running execution, and the gate that each segment passes before its bytes leave. */
import type { CallOptions } from '../adb/link.ts'
import { ENVELOPE_GRACE_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { PortTools } from '../runtime/port.ts'

export interface Control {
  /** Records that the segment leaves now, and waits until the disk has it. A delivery: then nothing of it may leave. */
  dispatch(segment: number): Promise<Undispatched | undefined>
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

export type Undispatched = { kind: 'stopped' } | { kind: 'refused'; code: 'JOURNAL_UNAVAILABLE'; message: string }

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
const STOPPED = { kind: 'stopped' } as const

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
    async dispatch(segment) {
      if (halt.signal.aborted) return STOPPED
      const at = clock.now()
      try {
        if (!(await tools.commit({ type: 'execution.dispatched', executionId, segment }))) {
          stop()
          return STOPPED
        }
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        const message = `the disk would not take the record that precedes a dispatch: ${error.message}`
        return { kind: 'refused', code: 'JOURNAL_UNAVAILABLE', message }
      }
      dispatchedAt ??= at
      return halt.signal.aborted ? STOPPED : undefined
    },
    isOverdue: () => overdue,
    isCancelled: () => cancelled,
    dispatchedAt: () => dispatchedAt,
    preparing: () => ({ deadline: deadline(), signal: halt.signal }),
    acting: () => ({ deadline: deadline(), signal: end.signal }),
  }
}

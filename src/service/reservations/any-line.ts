/** The requests of this process for whichever phone is free: the one that came first takes the first phone that becomes free. */
import { failure } from '../../contracts/failures/failures.ts'
import { WAITING_MAX } from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import { once } from '../../runtime/once.ts'

/** How often a phone that is free is looked for. */
const LOOK_MS = 500

interface AnyRequest<Answer> {
  waitMs: number
  /** Aborted when nobody hears the answer any more. */
  leave: AbortSignal
  /** Takes a phone that is free at this moment. */
  take(): Promise<Answer>
  isFinal(answer: Answer): boolean
  /** The answer when this process ends. */
  interrupted(): Answer
}

interface Waiter extends AnyRequest<unknown> {
  /** The latest one; nothing is taken for a request behind a final one. */
  answer?: { readonly value: unknown; readonly isFinal: boolean }
  /** A phone is being taken for this request. */
  isTaking: boolean
  /** Ends its pause between two looks. */
  woken: AbortController
}

export const anyLineFull = () =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${WAITING_MAX} requests wait for any device already, which is the most.`, {
    details: { waiting: WAITING_MAX, dispatched: false },
    hint: 'Send it again when fewer wait, or name a device.',
  })

export const createAnyLine = ({ clock, host }: { clock: Clock; host: Pick<Host, 'onStop'> }) => {
  const line: Waiter[] = []
  let round: Promise<void> | undefined
  let isStopped = false

  const wake = (waiter: Waiter | undefined) => waiter?.woken.abort()
  const listenForStop = once(() =>
    host.onStop(async () => {
      isStopped = true
      line.forEach(wake)
    }),
  )

  /** Nobody is asked for behind a request that no phone is free for: what refuses that one refuses those behind it. */
  const serve = async (): Promise<void> => {
    const present = line.filter(({ answer }) => !answer?.isFinal)
    for (const [index, waiter] of present.entries()) {
      // A request that has been answered meanwhile is given no phone.
      if (!line.includes(waiter)) continue
      waiter.isTaking = true
      const value = await waiter.take().finally(() => {
        waiter.isTaking = false
      })
      const isFinal = waiter.leave.aborted || waiter.isFinal(value)
      waiter.answer = { value, isFinal }
      if (isFinal) {
        wake(waiter)
        continue
      }
      for (const behind of present.slice(index + 1)) behind.answer = { value, isFinal: false }
      return
    }
  }

  const look = (): Promise<void> => {
    round ??= serve().finally(() => {
      round = undefined
    })
    return round
  }

  return {
    isFull: () => line.length >= WAITING_MAX,
    /** A phone may have become free. */
    lookNow: () => wake(line[0]),
    /** The first answer that is final, or the last one when the time is over. */
    async wait<Answer>(request: AnyRequest<Answer>): Promise<Answer> {
      const { waitMs, leave } = request
      const until = clock.elapsed() + waitMs
      const waiter: Waiter = {
        ...request,
        isFinal: answer => request.isFinal(answer as Answer),
        isTaking: false,
        woken: new AbortController(),
      }
      listenForStop()
      line.push(waiter)
      try {
        // A round that had begun before does not know of this request.
        while (waiter.answer === undefined) await look()
        for (;;) {
          // It does not leave without a phone that is being taken for it.
          while (waiter.isTaking) await round
          const { value, isFinal } = waiter.answer
          const leftMs = until - clock.elapsed()
          if (isFinal || leftMs <= 0 || leave.aborted) return value as Answer
          if (isStopped) return request.interrupted()
          await pause(clock, Math.min(LOOK_MS, leftMs), AbortSignal.any([leave, waiter.woken.signal]))
          waiter.woken = new AbortController()
          if (line[0] === waiter && !waiter.isTaking && !waiter.answer.isFinal) await look()
        }
      } finally {
        line.splice(line.indexOf(waiter), 1)
      }
    },
  }
}

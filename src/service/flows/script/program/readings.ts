/** How much time has passed for a script: as in the evaluation that it repeats, and after that for real. */
import type { ClockReading } from '../messages.ts'

/**
 * The clock moves in steps, so that a script which takes less time than one sees it stand still, and one that waits in a
 * loop does not fill the record.
 */
const STEP_MS = 50

export interface Readings {
  /** Milliseconds since the evaluation began. */
  read(): number
  requestAnswered(): void
  /** Records up to which reading the clock went so: a slower repetition would otherwise see it move after the last step. */
  end(): void
}

export const createReadings = (
  recorded: readonly ClockReading[],
  repeatedRequests: number,
  { elapsed, onStep }: { elapsed: () => number; onStep: (reading: ClockReading) => void },
): Readings => {
  let count = 0
  let recordedUpTo = 0
  let used = 0
  let requestsLeft = repeatedRequests
  let elapsedMs = 0
  let begun = elapsed()
  let base = 0
  const isRepeating = () => used < recorded.length || requestsLeft > 0
  const record = () => {
    recordedUpTo = count
    onStep({ reading: count, elapsedMs })
  }
  const beginHere = () => {
    begun = elapsed()
    base = elapsedMs
  }
  return {
    read() {
      count++
      const next = recorded[used]
      if (next?.reading === count) {
        used++
        elapsedMs = next.elapsedMs
        record()
        if (!isRepeating()) beginHere()
        return elapsedMs
      }
      if (isRepeating()) return elapsedMs
      const passed = base + elapsed() - begun
      const stepped = Math.floor(passed / STEP_MS) * STEP_MS
      if (stepped > elapsedMs) {
        elapsedMs = stepped
        record()
      }
      return elapsedMs
    },
    requestAnswered() {
      const wasRepeating = isRepeating()
      if (requestsLeft > 0) requestsLeft--
      if (wasRepeating && !isRepeating()) beginHere()
    },
    end() {
      if (count > recordedUpTo) record()
    },
  }
}

/** How far a long step is: heard as often as the step tells it, recorded no more often than somebody could read it. */
import type { StepProgress, TellProgress } from '../contracts/records/actor.ts'
import type { Clock } from '../runtime/clock.ts'

/** The least time between two records of how far a step is; a step that is sooner over has none. */
export const PROGRESS_RECORD_MS = 1_000

/** Records one of the tellings of each PROGRESS_RECORD_MS, and the next only once that is done. */
export const tellsProgress = (clock: Clock, record: (progress: StepProgress) => Promise<unknown>): TellProgress => {
  let recordedAt = clock.elapsed()
  let isRecording = false
  return progress => {
    if (isRecording || clock.elapsed() - recordedAt < PROGRESS_RECORD_MS) return
    recordedAt = clock.elapsed()
    isRecording = true
    const end = () => {
      isRecording = false
    }
    // The step goes on whether or not it can be told.
    record(progress).then(end, end)
  }
}

/** Lets a manual clock run until a promise has settled. */
import type { ManualClock } from '../manual-clock.ts'

const TURNS_MAX = 200_000

/** In steps that small that no two waits of the code under test fall into one. */
export const runOut = async <T>(work: Promise<T>, clock: ManualClock, stepMs = 5): Promise<T> => {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  work.then(settle, settle)
  for (let turn = 0; !isSettled && turn < TURNS_MAX; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    if (!isSettled && clock.pending() > 0) clock.advance(stepMs)
  }
  if (!isSettled) throw new Error('the work never settles')
  return await work
}

/** The time of a simulated device: it starts with ours and runs at its own speed. */
import type { Clock } from '../runtime/clock.ts'

/** A wait of the device takes `timeScale` times as long as it says. */
export const scaledClock = (clock: Clock, timeScale: number): Clock => {
  if (timeScale === 1) return clock
  const [start, elapsedStart] = [clock.now(), clock.elapsed()]
  return {
    now: () => Math.floor(start + (clock.now() - start) / timeScale),
    elapsed: () => elapsedStart + (clock.elapsed() - elapsedStart) / timeScale,
    at: (at, call, options) => clock.at(Math.ceil(start + (at - start) * timeScale), call, options),
    soon: clock.soon,
  }
}

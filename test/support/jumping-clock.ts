/** The real clock, and a way to move it on: what waits for a time that was jumped over happens at once. */
import { type Clock, systemClock, type Timer } from '../../src/runtime/clock.ts'

export interface JumpingClock extends Clock {
  jump(ms: number): void
}

export const jumpingClock = (): JumpingClock => {
  const real = systemClock()
  let offset = 0
  const armed = new Set<() => void>()
  return {
    now: () => real.now() + offset,
    elapsed: () => real.elapsed() + offset,
    at(at, call, options) {
      let timer: Timer
      const arm = () => {
        timer = real.at(at - offset, fire, options)
      }
      const rearm = () => {
        timer.cancel()
        arm()
      }
      const fire = () => {
        armed.delete(rearm)
        call()
      }
      armed.add(rearm)
      arm()
      return {
        cancel: () => {
          armed.delete(rearm)
          timer.cancel()
        },
      }
    },
    soon: real.soon,
    jump(ms) {
      offset += ms
      for (const rearm of [...armed]) rearm()
    },
  }
}

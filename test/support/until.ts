/** Waits for something that another task or another process does. */
import { pause, systemClock } from '../../src/runtime/clock.ts'

const clock = systemClock()

export const wait = (ms: number): Promise<void> => pause(clock, ms)

export const until = async (isSo: () => boolean | Promise<boolean>, what: string, ms = 15_000): Promise<void> => {
  const latest = clock.elapsed() + ms
  while (!(await isSo())) {
    if (clock.elapsed() > latest) throw new Error(`waited ${ms} ms for ${what}`)
    await wait(5)
  }
}

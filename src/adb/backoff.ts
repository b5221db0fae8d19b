/** How long to leave a device alone that could not be reached. */
import type { LinkLimits } from './link-limits.ts'

export const pauseAfter = (failures: number, limits: Pick<LinkLimits, 'firstPauseMs' | 'lastPauseMs'>): number =>
  failures === 0 ? 0 : Math.min(limits.lastPauseMs, limits.firstPauseMs * 2 ** (failures - 1))

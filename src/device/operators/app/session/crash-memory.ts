/** Keeps for a device when each task last acted there, and which crashes it was told. */
import type { AppCrash } from '../../../../contracts/device/crash.ts'
import type { ClockReading } from '../../../../runtime/clock.ts'
import { recentMap } from './sockets.ts'

/** The log is read for some seconds before an execution: older crashes do not come again. */
const TOLD_MAX = 20
/** A phone serves one flow or session at a time; one that is let go of here finds crashes of its last execution only. */
const TASKS_MAX = 16

export interface CrashMemory {
  /** True once for each task and crash, which then counts as told. */
  tell(taskId: string, crash: AppCrash): boolean
  acted(taskId: string, at: ClockReading): void
  lastActed(taskId: string): ClockReading | undefined
}

export const createCrashMemory = (): CrashMemory => {
  const told: string[] = []
  const acts = recentMap<string, ClockReading>(TASKS_MAX)
  return {
    tell(taskId, { kind, applicationId, process = '', time }) {
      const key = JSON.stringify([taskId, kind, applicationId, process, time])
      if (told.includes(key)) return false
      told.push(key)
      if (told.length > TOLD_MAX) told.shift()
      return true
    },
    acted: acts.set,
    lastActed: acts.get,
  }
}

/** The crashes of a device that failures have told already, each by the task that was told. */
import type { AppCrash } from '../../../../contracts/device/crash.ts'

/** The log is read for some seconds before an execution: older crashes do not come again. */
const TOLD_MAX = 20

export interface ToldCrashes {
  /** True once for each task and crash, which then counts as told. */
  tell(taskId: string, crash: AppCrash): boolean
}

export const createToldCrashes = (): ToldCrashes => {
  const told: string[] = []
  return {
    tell(taskId, { kind, applicationId, process = '', time }) {
      const key = JSON.stringify([taskId, kind, applicationId, process, time])
      if (told.includes(key)) return false
      told.push(key)
      if (told.length > TOLD_MAX) told.shift()
      return true
    },
  }
}

/** The crashes of a device that failures have told already, each by the task that was told. */
import type { AppCrash } from '../../../../contracts/device/crash.ts'

/** The log is read for some seconds before an execution: older crashes do not come again. */
const TOLD_MAX = 20

export interface ToldCrashes {
  /** True once for each task and crash, which then counts as told. */
  tell(taskId: string, crash: AppCrash): boolean
}

export const createToldCrashes = (): ToldCrashes => {
  const reported: string[] = []
  return {
    tell(taskId, { kind, applicationId, process = '', time }) {
      const key = JSON.stringify([taskId, kind, applicationId, process, time])
      if (reported.includes(key)) return false
      reported.push(key)
      if (reported.length > TOLD_MAX) reported.shift()
      return true
    },
  }
}

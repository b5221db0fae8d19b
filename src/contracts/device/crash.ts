/** How an application failed while an execution used it: `details.crash` of the failed step. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'

/** Longer texts are cut. */
export const CRASH_LIMITS = { messageChars: 1_000, frames: 5, frameChars: 300 } as const

export const AppCrash = openObject({
  /** `anr`: it did not respond. */
  kind: v.picklist(['crash', 'anr']),
  applicationId: v.string(),
  /** By the clock of the device. */
  time: v.string(),
  /** Where it is not named as the application is. */
  process: v.exactOptional(v.string()),
  /** The class of an exception, or the signal that native code died of. */
  exception: v.exactOptional(v.string()),
  message: v.exactOptional(v.string()),
  /** Why it counted as not responding. */
  reason: v.exactOptional(v.string()),
  /** The innermost calls. */
  stackTop: v.exactOptional(v.array(v.string())),
})
export type AppCrash = v.InferOutput<typeof AppCrash>

/** The views of the screen that a caller may ask for, and the answer beside the envelope. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

export const SNAPSHOT_FORMATS = ['xml', 'compact'] as const

/** Beside an execution: how its snapshots are answered, and whether the screen is described afterwards. */
export interface ScreenOptions {
  format?: (typeof SNAPSHOT_FORMATS)[number] | undefined
  /** The execution whose screen the caller knows: it is told what has changed since. */
  since?: string | undefined
  observe?: boolean | undefined
}

export const ObservedScreen = openObject({
  /** The screen as it was then; absent when it could not be seen. */
  screen: v.exactOptional(count),
  /** The compact difference, or why there is none. */
  text: v.string(),
})
export type ObservedScreen = v.InferOutput<typeof ObservedScreen>

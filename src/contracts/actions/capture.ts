/** Actions that take evidence: snapshot, take_screenshot. */
import * as v from 'valibot'
import { closedObject } from '../objects.ts'
import { filePath } from '../text.ts'
import { action, NoParams } from './shape.ts'

export const Snapshot = action('snapshot', v.exactOptional(NoParams))
export type Snapshot = v.InferOutput<typeof Snapshot>

/** If `path` is missing, the host picks a new file. */
export const TakeScreenshot = action(
  'take_screenshot',
  v.exactOptional(closedObject({ path: v.exactOptional(filePath) })),
)
export type TakeScreenshot = v.InferOutput<typeof TakeScreenshot>

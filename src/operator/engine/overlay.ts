/** The overlay of a driver, for the steps that need one. */
import type { Overlay, UiDriver } from './driver.ts'
import { StepFailure } from './step-failure.ts'

export const overlayOf = ({ overlay }: UiDriver): Overlay => {
  if (overlay) return overlay
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'this operator cannot draw over the screen')
}

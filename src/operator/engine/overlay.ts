/** The overlay of a driver, for the steps that need one. */
import type { Overlay, UiDriver } from './driver.ts'
import { StepFailure } from './step-failure.ts'

export const overlayOf = ({ overlay }: UiDriver): Overlay => {
  if (overlay) return overlay
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'this operator cannot draw over the screen', {
    hint: 'Toasts and the on-screen log need an operator app: install one as com.svc.operator, or name it with --operator-package or operatorPackage; svc.shell and svc.uiautomator draw nothing.',
  })
}

/** show_toast and cancel_toast. */
import type { Step } from '../context.ts'
import { overlayOf } from '../overlay.ts'
import { StepFailure } from '../step-failure.ts'

export const showToast: Step<'show_toast'> = async ({ text, duration }, { driver }) => {
  if (await overlayOf(driver).showToast(text, duration)) return { submitted: 'true', duration }
  throw new StepFailure('SERVICE_UNAVAILABLE', 'the device does not show the toast')
}

export const cancelToast: Step<'cancel_toast'> = async (_params, { driver }) => {
  await overlayOf(driver).cancelToast()
  return { submitted: 'true' }
}

/** What a device was last seen to show: the newest snapshot and the newest screenshot that its receipts hold. */
import { SCREEN_SEARCHED_MAX } from '../contracts/limits.ts'
import type { DeviceScreenResponse } from '../contracts/viewer.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { eachReceipt } from '../runtime/journal/reading.ts'
import { pictureProblem } from './pictures.ts'
import { pictureUrl } from './trace-steps.ts'

/** A device that was driven without a look at its screen for so many executions shows something else by now. */
export const deviceScreen = async (journal: Journal, deviceId: string): Promise<DeviceScreenResponse> => {
  let found: DeviceScreenResponse = { ok: true }
  for (const receipt of eachReceipt(journal, { deviceId, limit: SCREEN_SEARCHED_MAX })) {
    const { executionId, result, settledAt: at = 0 } = receipt
    for (const { id: step, actionType, success, data } of result?.ok ? result.envelope.stepResults.toReversed() : []) {
      if (!success) continue
      if (actionType === 'snapshot' && data.text !== undefined && !found.snapshot) {
        found = { ...found, snapshot: { executionId, step, at, xml: data.text } }
      }
      if (actionType === 'take_screenshot' && !found.picture && !(await pictureProblem(receipt, step))) {
        found = { ...found, picture: { executionId, step, at, url: pictureUrl(executionId, step) } }
      }
    }
    if (found.snapshot && found.picture) return found
  }
  return found
}

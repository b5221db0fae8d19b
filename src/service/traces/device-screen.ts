/** The screen that a device last showed: the newest hierarchy and the newest screenshot that its receipts hold. */

import { pictureUrl } from '../../contracts/device/picture-url.ts'
import type { DeviceScreenResponse } from '../../contracts/doors/viewer.ts'
import { SCREEN_SEARCHED_MAX } from '../../contracts/limits/limits.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { eachReceipt } from '../../runtime/journal/reading.ts'
import { pictureProblem } from './pictures.ts'
import { hierarchyOf } from './trace-steps.ts'

/** A screen that was recorded more than `SCREEN_SEARCHED_MAX` executions ago counts as outdated. */
export const deviceScreen = async (journal: Journal, deviceId: string): Promise<DeviceScreenResponse> => {
  let found: DeviceScreenResponse = { ok: true }
  for (const receipt of eachReceipt(journal, { deviceId, limit: SCREEN_SEARCHED_MAX })) {
    const { executionId, result, settledAt: at = 0 } = receipt
    const results = result?.ok ? [...result.envelope.stepResults.entries()] : []
    for (const [position, stepResult] of results.reverse()) {
      const { id: step, actionType, success } = stepResult
      if (!success) continue
      const xml = found.snapshot ? undefined : hierarchyOf(stepResult)
      if (xml !== undefined) found = { ...found, snapshot: { executionId, step, at, xml } }
      if (actionType !== 'take_screenshot' || found.picture) continue
      if (await pictureProblem(receipt, { id: step, position })) continue
      const url = pictureUrl(executionId, { id: step, position })
      found = { ...found, picture: { executionId, step, at, url } }
    }
    if (found.snapshot && found.picture) return found
  }
  return found
}

/** The eyes and hands of the host by the helper, which is started once the execution has its time. */

import type { HostHands } from '../perform-over-link.ts'
import type { SegmentRun } from '../segment-run.ts'
import { uiautomatorDriver } from './driver.ts'
import { HelperUnavailable } from './prepare-helper.ts'

export const uiautomatorHands = ({ session: { helper } }: SegmentRun): HostHands => ({
  driver: (link, options) => uiautomatorDriver(helper, link, options),
  async refusal(options) {
    try {
      await helper.health(options)
      return undefined
    } catch (error) {
      if (!(error instanceof HelperUnavailable)) throw error
      return { kind: 'refused', code: error.code, message: error.message }
    }
  },
})

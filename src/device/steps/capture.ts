/** snapshot. */
import { inSlices } from '../../runtime/yielding.ts'
import type { Step } from '../screen/context.ts'
import { treeOf } from '../screen/locate.ts'
import { writingSnapshot } from '../screen/snapshot-xml.ts'

export const snapshot: Step<'snapshot'> = async (_params, context) => ({
  text: await inSlices(writingSnapshot(await treeOf(context, { complete: true })), context),
  foreground_package: await context.driver.foregroundPackage(),
})

/** snapshot. */
import { inSlices } from '../../../runtime/yielding.ts'
import type { Step } from '../context.ts'
import { treeOf } from '../locate.ts'
import { writingSnapshot } from '../snapshot-xml.ts'

export const snapshot: Step<'snapshot'> = async (_params, context) => ({
  text: await inSlices(writingSnapshot(await treeOf(context, { complete: true })), context),
  foreground_package: await context.driver.foregroundPackage(),
})

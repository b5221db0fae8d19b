/** snapshot. */
import type { Step } from '../context.ts'
import { treeOf } from '../locate.ts'
import { snapshotXml } from '../snapshot-xml.ts'

export const snapshot: Step<'snapshot'> = async (_params, context) => ({
  text: snapshotXml(await treeOf(context, { complete: true })),
  foreground_package: await context.driver.foregroundPackage(),
})

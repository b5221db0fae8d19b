/** snapshot. */
import type { Step } from '../context.ts'
import { NO_HIERARCHY } from '../locate.ts'
import { snapshotXml } from '../snapshot-xml.ts'
import { StepFailure } from '../step-failure.ts'

export const snapshot: Step<'snapshot'> = async (_params, { driver }) => {
  const tree = await driver.tree()
  if (!tree) throw new StepFailure('SNAPSHOT_HIERARCHY_UNAVAILABLE', NO_HIERARCHY)
  return { text: snapshotXml(tree), foreground_package: await driver.foregroundPackage() }
}

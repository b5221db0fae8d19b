/** Takes one segment to whoever performs it, the way it has to go. */

import { SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE } from '../../../contracts/device/operator.ts'
import { byOperator } from '../../../device/operators/app/send-segment.ts'
import { type HostGesture, isHostGesture, type Segment } from '../../../device/operators/segment.ts'
import type { SegmentOutcome } from '../../../device/operators/segment-outcome.ts'
import type { UiDriver } from '../../../device/screen/driver.ts'
import { parsingHierarchy } from '../../../device/screen/parse-hierarchy.ts'
import { inSlices } from '../../../runtime/yielding.ts'
import type { ExecutionRun } from './job.ts'
import { byHost, byShell, byUiautomator, UndeliveredLook } from './perform-on-host.ts'

const HOST_OPERATORS: readonly string[] = [SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE]
const LOOK = { id: 'svc-look', type: 'snapshot' } as const

/** The screen as an operator app sees it: a dump by the shell would end its accessibility service for a moment. */
const treeByOperator =
  (run: ExecutionRun, nextIndex: () => number): UiDriver['tree'] =>
  async () => {
    const delivery = await byOperator({ kind: 'operator', index: nextIndex(), actions: [LOOK] }, run)
    if (delivery.kind !== 'part') throw new UndeliveredLook(delivery)
    const [step] = delivery.part.stepResults
    if (!step?.success) return undefined
    const options = { clock: run.clock, signal: run.control.halt.signal }
    const parsed = await inSlices(parsingHierarchy(step.data.text ?? ''), options)
    return parsed.ok ? parsed.tree : undefined
  }

/** By the host's own hands, and with the eyes of the operator. */
const byGesture = (
  action: HostGesture,
  index: number,
  run: ExecutionRun,
  nextIndex: () => number,
): Promise<SegmentOutcome> => {
  const { operatorPackage } = run.job
  const segment = { kind: 'operator', index, actions: [action] } as const
  if (operatorPackage === UIAUTOMATOR_OPERATOR_PACKAGE) return byUiautomator(segment, run)
  return byShell(segment, run, operatorPackage === SHELL_OPERATOR_PACKAGE ? undefined : treeByOperator(run, nextIndex))
}

/** `nextIndex` gives the looks that a gesture needs their places among the segments. */
export const deliver = (segment: Segment, run: ExecutionRun, nextIndex: () => number): Promise<SegmentOutcome> => {
  if (segment.kind === 'host') {
    const { action, index } = segment
    if (isHostGesture(action)) return byGesture(action, index, run, nextIndex)
    const isOwn = HOST_OPERATORS.includes(run.job.operatorPackage)
    return byHost(action, index, run, isOwn ? undefined : treeByOperator(run, nextIndex))
  }
  const { operatorPackage } = run.job
  if (operatorPackage === UIAUTOMATOR_OPERATOR_PACKAGE) return byUiautomator(segment, run)
  return operatorPackage === SHELL_OPERATOR_PACKAGE ? byShell(segment, run) : byOperator(segment, run)
}

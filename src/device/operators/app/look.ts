/** A look at the screen by an operator app is a segment of its own: it is recorded, numbered and sent as every other. */

import type { UiTree } from '../../../contracts/device/ui-tree.ts'
import { inSlices } from '../../../runtime/yielding.ts'
import { parsingHierarchy } from '../../screen/parse-hierarchy.ts'
import { Undelivered } from '../perform-over-link.ts'
import type { SegmentRun } from '../segment-run.ts'
import { sendSegment } from './send-segment.ts'

export const LOOK = { id: 'svc-look', type: 'snapshot' } as const

/** Undefined where the app shows no screen. Throws Undelivered, which ends the step that wants to look. */
export const lookByApp = async (
  operatorPackage: string,
  index: number,
  run: SegmentRun,
): Promise<UiTree | undefined> => {
  const delivery = await sendSegment(operatorPackage, { kind: 'operator', index, actions: [LOOK] }, run)
  if (delivery.kind !== 'done') throw new Undelivered(delivery)
  const [step] = delivery.part.stepResults
  if (!step?.success) return undefined
  const options = { clock: run.clock, signal: run.control.halt.signal }
  const parsed = await inSlices(parsingHierarchy(step.data.text ?? ''), options)
  return parsed.ok ? parsed.tree : undefined
}

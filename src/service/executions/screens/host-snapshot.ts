/** A look at the screen that no step asked for: the operator takes a snapshot, and its result stays here. */
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { LOOK_PAUSE_MS } from '../../../contracts/limits/limits.ts'
import { LOOK } from '../../../device/operators/app/look.ts'
import { STOPPED, type UndoneSegment } from '../../../device/operators/segment-outcome.ts'
import { pause } from '../../../runtime/clock.ts'
import { deliver, type ExecutionRun } from '../run/execution-run.ts'
import type { LocatedRef, ScreenRead, WantedNode } from './read-screen.ts'
import type { Screen } from './screen.ts'

export type HostSnapshot =
  | { kind: 'seen'; screen: Screen; found: LocatedRef[] }
  /** The device answered, and showed nothing that can be read. */
  | { kind: 'unseen'; problem: string }
  | UndoneSegment

/** The index of the next segment of the execution. */
export type NextIndex = () => number

interface LookOptions {
  wanted?: WantedNode[]
  /** True before the first gesture of the step that comes next. */
  isUnbegun?: boolean
}

/** From the data of a snapshot step. */
export const readSnapshotStep = (
  { data }: StepResult,
  run: ExecutionRun,
  wanted: WantedNode[] = [],
): Promise<ScreenRead> =>
  run.reader.read({ xml: data.text ?? '', package: data.foreground_package ?? '', wanted }, run.control.end.signal)

export const takeSnapshot = async (
  run: ExecutionRun,
  next: NextIndex,
  { wanted = [], isUnbegun }: LookOptions = {},
): Promise<HostSnapshot> => {
  if (run.control.halt.aborted) return STOPPED
  const delivery = await deliver({ kind: 'operator', index: next(), actions: [LOOK], isUnbegun }, run, next)
  if (delivery.kind !== 'done') return delivery
  const [step] = delivery.part.stepResults
  if (!step?.success) {
    return { kind: 'unseen', problem: step?.data.message ?? delivery.part.error?.message ?? 'the operator saw nothing' }
  }
  const read = await readSnapshotStep(step, run, wanted)
  return read.ok ? { kind: 'seen', screen: read.screen, found: read.found } : { kind: 'unseen', problem: read.problem }
}

/** Again while there is nothing to see: between two windows there is none. */
export const retrySnapshot = async (
  run: ExecutionRun,
  next: NextIndex,
  { withinMs, ...options }: LookOptions & { withinMs: number },
): Promise<HostSnapshot> => {
  const { clock, control, dispatch } = run
  const began = clock.elapsed()
  for (;;) {
    const looked = await takeSnapshot(run, next, options)
    if (looked.kind !== 'unseen') return looked
    const leftMs = Math.min(withinMs - (clock.elapsed() - began), dispatch.execution.timeoutMs - control.spentMs())
    if (leftMs <= LOOK_PAUSE_MS) return looked
    await pause(clock, LOOK_PAUSE_MS, control.halt.signal)
  }
}

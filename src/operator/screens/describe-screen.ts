/** Describes the screen after the steps to the caller: the difference to the screen that the caller knows. */
import type { StepResult } from '../../contracts/execution-result.ts'
import {
  LOOK_PAUSE_MS,
  OBSERVE_LOOKS_MS,
  OBSERVE_MS,
  OBSERVE_SLOW_LOOK_MS,
  OBSERVE_STILL_MS,
} from '../../contracts/limits.ts'
import type { ObservedScreen } from '../../contracts/screen.ts'
import { pause } from '../../runtime/clock.ts'
import type { ExecutionRun } from '../delivery.ts'
import { compactText, differenceText } from './compact-lines.ts'
import { type HostSnapshot, type NextIndex, readSnapshotStep, takeSnapshot } from './host-snapshot.ts'
import type { Screen } from './screen.ts'

/** The screen that a difference is told from, and how the caller knows it. */
export interface Baseline {
  name: string
  screen: Screen
}

const isSame = (a: Screen, b: Screen) => JSON.stringify(a) === JSON.stringify(b)

const timeLeft = ({ job, control }: ExecutionRun) => job.execution.timeoutMs - control.spentMs()

/**
 * Until two looks in a row agree, for what an action starts takes a moment to show; a screen that stays as it was is given
 * a little longer to change. No longer than the limits say, and than the execution has time.
 */
const settledScreen = async (run: ExecutionRun, next: NextIndex, before: Screen | undefined): Promise<HostSnapshot> => {
  const { clock, control } = run
  const began = clock.elapsed()
  let last: HostSnapshot | undefined
  for (;;) {
    const asked = clock.elapsed()
    const looked = await takeSnapshot(run, next)
    if (looked.kind !== 'seen' && looked.kind !== 'unseen') return last?.kind === 'seen' ? last : looked
    const [spentMs, lookMs] = [clock.elapsed() - began, clock.elapsed() - asked]
    if (looked.kind === 'seen') {
      const isStill = lookMs > OBSERVE_SLOW_LOOK_MS || (last?.kind === 'seen' && isSame(last.screen, looked.screen))
      const hasChanged = !before || !isSame(before, looked.screen)
      if (isStill && (hasChanged || spentMs >= OBSERVE_STILL_MS || lookMs > OBSERVE_SLOW_LOOK_MS)) return looked
    }
    if (spentMs >= OBSERVE_MS || timeLeft(run) <= LOOK_PAUSE_MS + lookMs) return looked
    last = looked
    await pause(clock, LOOK_PAUSE_MS, control.halt)
  }
}

const unseen = (problem: string): ObservedScreen => ({ text: `screen ? (not seen: ${problem})` })

/** Undefined when the machine wants no more of the execution. */
export const describeScreen = async (
  run: ExecutionRun,
  next: NextIndex,
  device: string,
  baseline: Baseline | undefined,
): Promise<ObservedScreen | undefined> => {
  const { clock, control, screens, executionId } = run
  const ms = Math.min(OBSERVE_LOOKS_MS, timeLeft(run))
  if (ms <= LOOK_PAUSE_MS) return unseen('the time of the execution was over')
  const late: HostSnapshot = { kind: 'unseen', problem: `the screen could not be read within ${ms} ms` }
  const looked = await Promise.race([
    settledScreen(run, next, baseline?.screen),
    pause(clock, ms, control.halt).then(() => late),
  ])
  if (looked.kind === 'stopped' || control.halt.aborted) return undefined
  if (looked.kind === 'unseen') return unseen(looked.problem)
  if (looked.kind !== 'seen') return unseen('the device did not answer the look')
  const numbered = await screens.remember(device, looked.screen, executionId)
  const text = baseline ? differenceText(baseline.screen, numbered, baseline.name) : compactText(numbered)
  return { screen: numbered.number, text }
}

/** A snapshot step in compact lines, or the failed step that it is when its hierarchy cannot be read. */
export const compactStep = async (
  step: StepResult,
  run: ExecutionRun,
  device: string,
  since: Baseline | undefined,
): Promise<StepResult> => {
  if (step.actionType !== 'snapshot' || !step.success) return step
  const read = await readSnapshotStep(step, run)
  if (!read.ok) {
    return { ...step, success: false, data: { error: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', message: read.problem } }
  }
  const numbered = await run.screens.remember(device, read.screen, run.executionId)
  const text = since ? differenceText(since.screen, numbered, since.name) : compactText(numbered)
  const { text: _, ...data } = step.data
  return { ...step, data: { text, ...data, format: 'compact', screen: String(numbered.number) } }
}

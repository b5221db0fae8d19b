/** Performs the steps that need shell rights: the host itself does these, over the link. */
import { join, resolve } from 'node:path'
import type { Action } from '../../../contracts/executions/action.ts'
import { HOME_MODE } from '../../../contracts/limits/limits.ts'
import { wireIdOf } from '../../../device/operators/app/segment-request.ts'
import { type HostHands, mayActBy, workOverLink } from '../../../device/operators/perform-over-link.ts'
import type { SegmentOutcome } from '../../../device/operators/segment-outcome.ts'
import { withPages } from '../../../device/pages/with-pages.ts'
import { tellsProgress } from '../../../device/progress.ts'
import { guardedDriver } from '../../../device/screen/driver.ts'
import { locate } from '../../../device/screen/locate.ts'
import { StepFailure } from '../../../device/screen/step-failure.ts'
import { stepChanges } from '../../../device/settings/changes/step-changes.ts'
import { runHostStep } from '../../../device/steps/run-host-step.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import type { ScreenshotPolicy } from '../dispatch.ts'
import type { ExecutionRun } from './execution-run.ts'

const screenshotPath = async (named: string | undefined, policy: ScreenshotPolicy, fileName: string) => {
  if (named !== undefined) return resolve(policy.relativeTo, named)
  try {
    makeFolder(policy.newFilesIn, HOME_MODE)
  } catch (error) {
    throw new StepFailure('EVIDENCE_CAPTURE_FAILED', `${policy.newFilesIn} cannot be made: ${error}`)
  }
  return join(policy.newFilesIn, fileName)
}

/** A step that needs shell rights, so no operator performs it. The hands are for a step that asks where a node is. */
export const performHostStep = (
  action: Action,
  index: number,
  run: ExecutionRun,
  hands: HostHands,
): Promise<SegmentOutcome> => {
  const { dispatch, clock, control, executionId, handover } = run
  handover?.drop()
  const fileName = `${wireIdOf(executionId, index)}.png`
  return workOverLink(index, run, async on => {
    const place = { device: dispatch.phone ?? dispatch.serial, executionId, step: action.id }
    const changes = stepChanges(run.changes, place, () => {
      control.halt.signal.throwIfAborted()
      mayActBy(control)()
    })
    const outcome = await runHostStep(action, {
      ...on,
      clock,
      signal: control.halt.signal,
      mayAct: mayActBy(control),
      told: tellsProgress(clock, control.progressed),
      fileRoots: dispatch.fileRoots,
      draftOwners: run.draftOwners,
      ownerOnlyIn: dispatch.screenshots.ownerOnlyIn,
      remember: changes.remember,
      openChanges: changes.openChanges,
      boundsOf: async matcher => {
        const options = { clock, deadline: on.deadline, signal: control.halt.signal }
        const seeing = withPages(hands.driver(on.link, options), on.link, options)
        const driver = guardedDriver(seeing, options.signal)
        return (await locate(matcher, { ...options, driver, matchPattern: run.matchPattern, random: run.random })).node
          .bounds
      },
      screenshotPath: named => screenshotPath(named, dispatch.screenshots, fileName),
    })
    if (outcome.error === null) await changes.made()
    return outcome
  })
}

/** Steps that the host performs itself over the link: those that need shell rights, and all of them for the operators of its own. */
import { join, resolve } from 'node:path'
import { UIAUTOMATOR_OPERATOR_PACKAGE } from '../../../contracts/device/operator.ts'
import { HOME_MODE } from '../../../contracts/limits/limits.ts'
import { runHostStep } from '../../../device/host-steps.ts'
import { type Link, LinkError } from '../../../device/link/link.ts'
import { wireIdOf } from '../../../device/operators/app/segment-request.ts'
import type { HostAction, Segment } from '../../../device/operators/segment.ts'
import type { ShellOptions } from '../../../device/operators/shell/device-shell.ts'
import { shellDriver } from '../../../device/operators/shell/driver.ts'
import { uiautomatorDriver } from '../../../device/operators/uiautomator/driver.ts'
import { HelperUnavailable } from '../../../device/operators/uiautomator/prepare-helper.ts'
import { withPages } from '../../../device/pages/with-pages.ts'
import { tellsProgress } from '../../../device/progress.ts'
import { guardedDriver, type UiDriver } from '../../../device/screen/driver.ts'
import { locate } from '../../../device/screen/locate.ts'
import { runSteps, type StepsOutcome } from '../../../device/screen/run.ts'
import { StepFailure } from '../../../device/screen/step-failure.ts'
import { stepChanges } from '../../../device/settings/changes/step-changes.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import { type DispatchGate, STOPPED } from './dispatch-gate.ts'
import type { ScreenshotPolicy } from './job.ts'
import {
  type ExecutionRun,
  lossOf,
  type RefusedSegment,
  refusalOf,
  type SegmentOutcome,
  type UndoneSegment,
} from './segment-outcome.ts'

interface LinkWork {
  link: Link
  /** When the time of the execution is over. */
  deadline: number
}

/** A look through the operator that brought nothing: what became of it becomes of the segment. */
export class UndeliveredLook extends Error {
  readonly delivery: UndoneSegment

  constructor(delivery: UndoneSegment) {
    super('the operator could not be asked for the screen')
    this.name = 'UndeliveredLook'
    this.delivery = delivery
  }
}

/** Why the host stopped performing: it was told to, the time was over, or the device is gone. */
const broken = (error: unknown, control: DispatchGate, isOver: boolean): SegmentOutcome => {
  if (control.halt.aborted) return { kind: 'unknown', code: 'STOPPED' }
  if (error instanceof UndeliveredLook) return error.delivery
  if (isOver && error instanceof LinkError && error.code === 'LINK_TIMEOUT')
    return { kind: 'unknown', code: 'RESULT_ENVELOPE_TIMEOUT', lastLogLines: [] }
  return lossOf(error)
}

const workOverLink = async (
  index: number,
  { session, control, clock, job }: ExecutionRun,
  perform: (on: LinkWork) => Promise<StepsOutcome | RefusedSegment>,
): Promise<SegmentOutcome> => {
  const link = await session.link(control.preparing()).catch(refusalOf)
  if ('kind' in link) return control.halt.aborted ? STOPPED : link
  const undispatched = await control.dispatch(index)
  if (undispatched) return undispatched
  const leftMs = job.execution.timeoutMs - control.spentMs()
  const begun = clock.elapsed()
  const deadline = clock.now() + leftMs
  try {
    const outcome = await perform({ link, deadline })
    return 'kind' in outcome ? outcome : { kind: 'done', part: outcome }
  } catch (error) {
    return broken(error, control, clock.elapsed() - begun >= leftMs)
  }
}

/** A segment has many calls, and between two of them the phone may change its owner. */
const mayActBy = (control: DispatchGate) => () => {
  const fenced = control.fenced()
  if (fenced) throw new StepFailure('FLEET_HOST_GONE', fenced.message.replace(/\.$/, ''))
}

const screenshotPath = async (named: string | undefined, policy: ScreenshotPolicy, fileName: string) => {
  if (named !== undefined) return resolve(policy.relativeTo, named)
  try {
    makeFolder(policy.newFilesIn, HOME_MODE)
  } catch (error) {
    throw new StepFailure('EVIDENCE_CAPTURE_FAILED', `${policy.newFilesIn} cannot be made: ${error}`)
  }
  return join(policy.newFilesIn, fileName)
}

const eyesOf = (
  { job, session }: ExecutionRun,
  link: Link,
  options: ShellOptions,
  tree?: UiDriver['tree'],
): UiDriver =>
  job.operatorPackage === UIAUTOMATOR_OPERATOR_PACKAGE
    ? withPages(uiautomatorDriver(session.helper, link, options), link, options)
    : withPages({ ...shellDriver(link, options), ...(tree ? { tree } : {}) }, link, options)

/** `tree` reads the screen where the shell's own way would disturb the operator. */
export const byHost = (
  action: HostAction,
  index: number,
  run: ExecutionRun,
  tree?: UiDriver['tree'],
): Promise<SegmentOutcome> => {
  const { job, clock, control, executionId, handover } = run
  handover?.drop()
  const fileName = `${wireIdOf(executionId, index)}.png`
  return workOverLink(index, run, async on => {
    const place = { device: job.phone ?? job.serial, executionId, step: action.id }
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
      fileRoots: job.fileRoots,
      draftOwners: run.draftOwners,
      ownerOnlyIn: job.screenshots.ownerOnlyIn,
      remember: changes.remember,
      openChanges: changes.openChanges,
      boundsOf: async matcher => {
        const options = { clock, deadline: on.deadline, signal: control.halt.signal }
        const driver = guardedDriver(eyesOf(run, on.link, options, tree), options.signal)
        return (await locate(matcher, { ...options, driver, matchPattern: run.matchPattern, random: run.random })).node
          .bounds
      },
      screenshotPath: named => screenshotPath(named, job.screenshots, fileName),
    })
    if (outcome.error === null) await changes.made()
    return outcome
  })
}

/** `tree` reads the screen where the shell's own way would disturb the operator. */
export const byShell = (
  segment: Extract<Segment, { kind: 'operator' }>,
  run: ExecutionRun,
  tree?: UiDriver['tree'],
): Promise<SegmentOutcome> => {
  const { clock, control, matchPattern } = run
  return workOverLink(segment.index, run, ({ link, deadline }) => {
    const options = { clock, deadline, signal: control.halt.signal }
    return runSteps(segment.actions, {
      ...options,
      driver: withPages({ ...shellDriver(link, options), ...(tree ? { tree } : {}) }, link, options),
      mayAct: mayActBy(control),
      matchPattern,
      handover: run.handover,
      random: run.random,
    })
  })
}

/** The helper is started once the execution has its time; where it cannot be, no step has begun. */
export const byUiautomator = (
  segment: Extract<Segment, { kind: 'operator' }>,
  run: ExecutionRun,
): Promise<SegmentOutcome> => {
  const { clock, control, session, matchPattern } = run
  const { helper } = session
  return workOverLink(segment.index, run, async ({ link, deadline }) => {
    const options = { clock, deadline, signal: control.halt.signal }
    try {
      await helper.health(options)
    } catch (error) {
      if (!(error instanceof HelperUnavailable)) throw error
      return { kind: 'not sent', code: error.code, message: error.message }
    }
    return await runSteps(segment.actions, {
      ...options,
      driver: withPages(uiautomatorDriver(helper, link, options), link, options),
      mayAct: mayActBy(control),
      matchPattern,
      handover: run.handover,
      random: run.random,
    })
  })
}

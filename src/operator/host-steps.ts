/** The steps that need shell rights and are done by the host, whichever operator does the rest: close_app, take_screenshot. */
import type { Link } from '../adb/link.ts'
import { commandLine } from '../adb/quote.ts'
import type { Clock } from '../runtime/clock.ts'
import { failed, type StepsOutcome, succeeded } from './engine/run.ts'
import { StepFailure } from './engine/step-failure.ts'
import { findPng } from './png.ts'
import { screenshotPathProblem, writeScreenshot } from './screenshot-file.ts'
import { deviceShell } from './shell/device-shell.ts'
import type { HostAction } from './wire/segments.ts'

export interface HostStepOptions {
  link: Link
  clock: Clock
  /** When the time of the execution is over, in epoch ms. */
  deadline: number
  signal: AbortSignal
  /** The absolute path for a screenshot, from the one that the action names, if any. */
  screenshotPath: (named: string | undefined) => string | Promise<string>
}

export const SCREENSHOT_MS = 20_000

/** Ending an application that does not run, or does not exist, succeeds: it is not running then. */
export const closeApp = async (applicationId: string, options: HostStepOptions): Promise<Record<string, string>> => {
  await deviceShell(options.link, options).insist(commandLine('am', 'force-stop', applicationId), 'ACTION_FAILED')
  return { application_id: applicationId }
}

/** One complete PNG. */
export const captureScreen = async ({ link, clock, deadline, signal }: HostStepOptions): Promise<Uint8Array> => {
  const bytes = await link.exec('screencap -p', { deadline: Math.min(deadline, clock.now() + SCREENSHOT_MS), signal })
  const found = findPng(bytes)
  if (found.ok) return found.png
  throw new StepFailure('EVIDENCE_CAPTURE_FAILED', found.problem)
}

/** A path that may not be written is refused before the picture is taken. */
export const takeScreenshot = async (
  named: string | undefined,
  options: HostStepOptions,
): Promise<Record<string, string>> => {
  const path = await options.screenshotPath(named)
  const problem = await screenshotPathProblem(path)
  if (problem !== undefined) throw new StepFailure('EVIDENCE_CAPTURE_FAILED', problem)
  const written = await writeScreenshot({ path, png: await captureScreen(options) })
  if (!written.ok) throw new StepFailure('EVIDENCE_CAPTURE_FAILED', written.problem)
  return { path: written.path }
}

const perform = (action: HostAction, options: HostStepOptions) =>
  action.type === 'close_app'
    ? closeApp(action.params.applicationId, options)
    : takeScreenshot(action.params?.path, options)

/** One result, in the shape of `runSteps`. Rejects when the link fails or the signal aborts. */
export const runHostStep = async (action: HostAction, options: HostStepOptions): Promise<StepsOutcome> => {
  options.signal.throwIfAborted()
  try {
    return { stepResults: [succeeded(action, await perform(action, options))], error: null }
  } catch (error) {
    if (error instanceof StepFailure) return failed(action, error)
    throw error
  }
}

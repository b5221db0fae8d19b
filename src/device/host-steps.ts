/** The steps that need shell rights and are done by the host, whichever operator does the rest. */

import type { Matcher } from '../contracts/executions/matcher.ts'
import type { Clock } from '../runtime/clock.ts'
import { installApp } from './apps/install-app.ts'
import { openAppAsAsked } from './apps/open-app.ts'
import { openInBrowser } from './apps/open-in-browser.ts'
import { clearApp, uninstallApp } from './apps/remove-app.ts'
import { permissionsToRestore, setPermission } from './apps/set-permission.ts'
import { cropPng } from './crop-png.ts'
import { addMedia } from './files/add-media.ts'
import type { FileRoots } from './files/file-roots.ts'
import type { DraftOwners } from './files/host-drafts.ts'
import { pullFiles } from './files/pull-files.ts'
import { pushFiles } from './files/push-files.ts'
import { removeFile } from './files/remove-file.ts'
import type { Link } from './link/link.ts'
import { OUTPUT_BYTES_MAX } from './link/link-limits.ts'
import { commandLine } from './link/quote.ts'
import type { HostAction } from './operators/segment.ts'
import { runCallerCommand } from './operators/shell/caller-command.ts'
import { getClipboard, setClipboard } from './operators/shell/clipboard.ts'
import { deviceShell, tooLargeAs } from './operators/shell/device-shell.ts'
import { performInPage } from './pages/perform-in-page.ts'
import { measureStartup } from './perf/startup.ts'
import type { TellProgress } from './progress.ts'
import type { ParamsOf } from './screen/context.ts'
import { failed, type StepsOutcome, succeeded } from './screen/run.ts'
import { StepFailure } from './screen/step-failure.ts'
import type { Bounds } from './screen/ui-tree.ts'
import { screenshotPathProblem, writeScreenshot } from './screenshot-file.ts'
import { changeSetting } from './settings/change-setting.ts'
import type { DeviceChange } from './settings/changes/ledger.ts'
import { type OpenChanges, restoreSettings } from './settings/restore-settings.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Devices with several displays print a warning in front of the picture, on the same stream. */
const SEARCHED_BYTES = 4_096
/** Length, type and checksum around the data of a chunk. */
const CHUNK_FRAME_BYTES = 12

type FoundPng = { ok: true; png: Uint8Array } | { ok: false; problem: string }

const startIn = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SIGNATURE)

/** From the signature to the end of the IEND chunk; what is around them is dropped. */
export const findPng = (bytes: Uint8Array): FoundPng => {
  if (bytes.byteLength === 0) return { ok: false, problem: 'the device sent no data' }
  const start = startIn(bytes.subarray(0, SEARCHED_BYTES))
  if (start < 0) {
    const beginning = Buffer.from(bytes.subarray(0, 200))
      .toString('latin1')
      .replace(/[^\x21-\x7e]+/g, ' ')
      .trim()
    return { ok: false, problem: `the device did not send a PNG, but: ${beginning}` }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = start + SIGNATURE.length
  while (at + CHUNK_FRAME_BYTES <= bytes.byteLength) {
    const end = at + CHUNK_FRAME_BYTES + view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (end > bytes.byteLength) break
    if (type === 'IEND') return { ok: true, png: bytes.subarray(start, end) }
    at = end
  }
  return { ok: false, problem: `the PNG is cut off after ${bytes.byteLength} bytes` }
}

export interface HostStepOptions {
  link: Link
  clock: Clock
  /** When the time of the execution is over, in epoch ms. */
  deadline: number
  signal: AbortSignal
  /** Throws a StepFailure when this host may no longer act on the phone; asked where a step has several commands. */
  mayAct?: (() => void) | undefined
  /** Hears as often as it likes how far a step is; what of it is recorded is bounded by `tellsProgress`. */
  told?: TellProgress | undefined
  /** The folders below which the caller may name files of this host; undefined for one who may name any. */
  fileRoots?: FileRoots
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
  /** The folder below which new files are their user's alone. */
  ownerOnlyIn?: string | undefined
  /**
   * Keeps what there was before, so that it can be put back: call it before the command that changes something is sent.
   * Resolves once the disk has it; throws a StepFailure where it cannot be recorded, or this host may no longer act.
   */
  remember?: ((change: DeviceChange) => Promise<void>) | undefined
  openChanges?: OpenChanges | undefined
  /** Where the node is on the screen as it is now; throws a StepFailure where it is not there. */
  boundsOf?: ((matcher: Matcher) => Promise<Bounds>) | undefined
  /** The absolute path for a screenshot, from the one that the action names, if any. */
  screenshotPath: (named: string | undefined) => string | Promise<string>
}

const SCREENSHOT_MS = 20_000

/** Ending an application that does not run, or does not exist, succeeds: it is not running then. */
const closeApp = async (
  { applicationId, background }: ParamsOf['close_app'],
  options: HostStepOptions,
): Promise<Record<string, string>> => {
  const verb = background ? 'kill' : 'force-stop'
  await deviceShell(options.link, options).insist(commandLine('am', verb, applicationId), 'ACTION_FAILED')
  return { application_id: applicationId }
}

/** One complete PNG. */
const captureScreen = async ({ link, clock, deadline, signal }: HostStepOptions): Promise<Uint8Array> => {
  const call = { deadline: Math.min(deadline, clock.now() + SCREENSHOT_MS), signal, maxBytes: OUTPUT_BYTES_MAX.raw }
  const bytes = await link.exec('screencap -p', call).catch(tooLargeAs('EVIDENCE_CAPTURE_FAILED'))
  const found = findPng(bytes)
  if (found.ok) return found.png
  throw new StepFailure('EVIDENCE_CAPTURE_FAILED', found.problem)
}

const cropped = async (screen: Uint8Array, bounds: Bounds, options: HostStepOptions): Promise<Uint8Array> => {
  const crop = await cropPng(screen, bounds, options)
  if (crop.ok) return crop.png
  throw new StepFailure('EVIDENCE_CAPTURE_FAILED', crop.problem)
}

/** A path that may not be written is refused before the picture is taken. */
export const takeScreenshot = async (
  { path: named, matcher }: NonNullable<ParamsOf['take_screenshot']>,
  options: HostStepOptions,
): Promise<Record<string, string>> => {
  const path = await options.screenshotPath(named)
  const problem = await screenshotPathProblem(path)
  if (problem !== undefined) throw new StepFailure('EVIDENCE_CAPTURE_FAILED', problem)
  const bounds = matcher && (await options.boundsOf?.(matcher))
  const screen = await captureScreen(options)
  const png = bounds ? await cropped(screen, bounds, options) : screen
  const written = await writeScreenshot({ path, png, ownerOnlyIn: options.ownerOnlyIn })
  if (!written.ok) throw new StepFailure('EVIDENCE_CAPTURE_FAILED', written.problem)
  return { path: written.path }
}

const performHostAction = (action: HostAction, options: HostStepOptions) => {
  switch (action.type) {
    case 'close_app':
      return closeApp(action.params, options)
    case 'install_app':
      return installApp(action.params, options)
    case 'uninstall_app':
      return uninstallApp(action.params, options)
    case 'clear_app':
      return clearApp(action.params, options)
    case 'push_file':
      return pushFiles(action.params, options)
    case 'pull_file':
      return pullFiles(action.params, options)
    case 'remove_file':
      return removeFile(action.params, options)
    case 'add_media':
      return addMedia(action.params, options)
    case 'open_uri':
      return openInBrowser(action.params, options)
    case 'set_permission':
      return setPermission(action.params, options)
    case 'open_app':
      return openAppAsAsked(action.params, options)
    case 'change_setting':
      return changeSetting(action.params, options)
    case 'restore_settings':
      return restoreSettings(options, permissionsToRestore(options), action.params?.settings)
    case 'measure_startup':
      return measureStartup(action.params, options)
    case 'get_clipboard':
      return getClipboard(options)
    case 'set_clipboard':
      return setClipboard(action.params, options)
    case 'shell':
      return runCallerCommand(action.params.command, options)
    case 'read_page':
    case 'change_page':
    case 'page_script':
      return performInPage(action, options)
    case 'take_screenshot':
      return takeScreenshot(action.params ?? {}, options)
  }
}

/** One result, in the shape of `runSteps`. Rejects when the link fails or the signal aborts. */
export const runHostStep = async (action: HostAction, options: HostStepOptions): Promise<StepsOutcome> => {
  options.signal.throwIfAborted()
  try {
    return { stepResults: [succeeded(action, await performHostAction(action, options))], error: null }
  } catch (error) {
    if (error instanceof StepFailure) return failed(action, error)
    throw error
  }
}

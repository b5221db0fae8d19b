/** Performs one request to the snapshot helper and answers it, in a session or as a call of its own. */
import { intersection } from '../../contracts/device/ui-tree.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { FilesError, normalPath } from '../files.ts'
import type { Finger, PhoneFiles } from '../phone-parts.ts'
import type { Fault, FaultKind } from '../scenario/fault.ts'
import { type Screen, writeHierarchy } from './hierarchy.ts'
import type { HelperOptions } from './session.ts'
import { ALREADY_REGISTERED, performTouch, readTouchPlan, type UiAutomation } from './touch-plan.ts'

export const HELPER_PACKAGE = 'com.callstack.agentdevice.snapshothelper'
/** At the head of every chunk and every answer, also of those that say a failure. */
export const PROTOCOL_FIELDS = {
  agentDeviceProtocol: 'android-snapshot-helper-v1',
  helperApiVersion: '2',
  outputFormat: 'uiautomator-xml',
} as const
const ILLEGAL_STATE = 'java.lang.IllegalStateException'
const INCOMPLETE = `${HELPER_PACKAGE}.AccessibilityCaptureStabilizer$IncompleteCaptureException`

export interface HelperFacts {
  screen(): Screen | undefined
  finger: Finger
  automation: UiAutomation
  files: PhoneFiles
  /** The time that touches and waits take. */
  waits: Clock
}

export interface HelperAnswer {
  fields: Record<string, string>
  xml?: string
}

export class HelperFailure extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** UiAutomation cannot be had. */
export class NoAutomation extends HelperFailure {
  constructor(message: string) {
    super(ILLEGAL_STATE, message)
  }
}

/** The connection that the `am` process keeps for the helper: taken by the first request that needs it. */
export const createAutomationConnection = ({ automation }: HelperFacts, isHeld: () => boolean) => {
  let held: ReturnType<UiAutomation['connect']>
  let over = false
  return {
    use() {
      if (over) throw new NoAutomation('UiAutomation not connected!')
      if (!held && !isHeld()) held = automation.connect(HELPER_PACKAGE)
      if (!held) throw new NoAutomation(ALREADY_REGISTERED)
    },
    release() {
      over = true
      held?.release()
    },
  }
}

export type AutomationConnection = ReturnType<typeof createAutomationConnection>

const has = (faults: readonly Fault[], kind: FaultKind) => faults.some(fault => fault.do === kind)

export const captureHierarchy = (
  { screen }: HelperFacts,
  options: HelperOptions,
  faults: readonly Fault[],
): HelperAnswer => {
  const seen = screen()
  if (!seen) {
    throw new HelperFailure(INCOMPLETE, 'Android accessibility capture remained incomplete after 500 ms')
  }
  const blank = { ...seen, tree: { ...seen.tree, roots: [] } }
  const { xml, windowCount, nodeCount, truncated } = writeHierarchy(has(faults, 'helper-blank') ? blank : seen, {
    depth: options.maxDepth,
    nodes: options.maxNodes,
  })
  return {
    xml,
    fields: {
      captureMode: 'interactive-windows',
      rootPresent: String(windowCount > 0),
      windowCount: String(windowCount),
      nodeCount: String(nodeCount),
      truncated: String(truncated),
      elapsedMs: '1',
    },
  }
}

/** The folders of the helper itself, on the shared storage and in its own: it may write nowhere else. */
const OWN_FOLDERS = ['/sdcard/Android/data', '/data/data', '/data/user/0'].map(folder => `${folder}/${HELPER_PACKAGE}/`)

/** The file that `outputPath` names. */
export const keepFile = ({ files }: HelperFacts, path: string, xml: string): void => {
  if (!OWN_FOLDERS.some(folder => normalPath(path).startsWith(folder))) {
    throw new HelperFailure('java.io.FileNotFoundException', `${path}: open failed: EACCES (Permission denied)`)
  }
  try {
    files.write(normalPath(path), Buffer.from(xml))
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    throw new HelperFailure('java.io.IOException', `write failed: ${error.message}`)
  }
}

const rectangle = ({ left, top, right, bottom }: Screen['front'], names: readonly [string, string, string, string]) => {
  const sizes = [left, top, right - left, bottom - top]
  return Object.fromEntries(names.map((name, at) => [name, String(sizes[at])]))
}

/** The window in front, and the keyboard where it lies over that. */
export const viewport = ({ screen }: HelperFacts): HelperAnswer => {
  const { front, keyboard } = screen() ?? {}
  if (!front) throw new HelperFailure(ILLEGAL_STATE, 'Active application interaction viewport is unavailable')
  const isCovered = keyboard !== undefined && intersection(front, keyboard) !== undefined
  return {
    fields: {
      kind: 'viewport',
      ...rectangle(front, ['x', 'y', 'width', 'height']),
      ...(isCovered && rectangle(keyboard, ['keyboardX', 'keyboardY', 'keyboardWidth', 'keyboardHeight'])),
    },
  }
}

export const gesture = async (
  { finger, waits }: HelperFacts,
  payload: string,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<HelperAnswer> => {
  const plan = readTouchPlan(payload)
  if ('problem' in plan) throw new HelperFailure(plan.errorType, plan.problem)
  if (has(faults, 'touch-refused')) throw new HelperFailure(ILLEGAL_STATE, 'injectInputEvent returned false')
  const injected = performTouch(plan, finger)
  await pause(waits, plan.durationMs, signal)
  return { fields: { kind: plan.kind, injectedEvents: String(injected), elapsedMs: String(plan.durationMs) } }
}

export const failureAnswer = (error: unknown): HelperAnswer => {
  const type = error instanceof HelperFailure ? error.type : 'java.lang.RuntimeException'
  return {
    fields: { ok: 'false', errorType: type, message: error instanceof Error ? error.message : String(error) },
  }
}

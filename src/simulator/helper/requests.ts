/** What the snapshot helper does for one request, and the answer it gives: in a session, and as a call of its own. */
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Fault, FaultKind } from '../scenario/fault.ts'
import { type Screen, writeHierarchy } from './hierarchy.ts'
import { type Finger, performTouch, readTouchPlan } from './touch-plan.ts'
import { ALREADY_REGISTERED, type UiAutomation } from './ui-automation.ts'

export const PROTOCOL = 'android-snapshot-helper-v1'
export const HELPER_PACKAGE = 'com.callstack.agentdevice.snapshothelper'
const API_VERSION = '2'

export interface HelperFacts {
  screen(): Screen | undefined
  finger: Finger
  automation: UiAutomation
  /** The time that touches and waits take. */
  waits: Clock
}

export interface Answer {
  fields: Record<string, string>
  xml?: string
}

/** As `am instrument -e` was told. */
export interface Options {
  depth: number
  nodes: number
}

export class HelperFailure extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** The connection that the `am` process keeps for the helper: taken by the first request that needs it. */
export interface Connection {
  use(): void
  release(): void
}

export const createConnection = ({ automation }: HelperFacts, isHeld: () => boolean): Connection => {
  let held: ReturnType<UiAutomation['connect']>
  let over = false
  return {
    use() {
      if (over) throw new HelperFailure('java.lang.IllegalStateException', 'UiAutomation not connected!')
      if (!held && !isHeld()) held = automation.connect(HELPER_PACKAGE)
      if (!held) throw new HelperFailure('java.lang.IllegalStateException', ALREADY_REGISTERED)
    },
    release() {
      over = true
      held?.release()
    },
  }
}

const has = (faults: readonly Fault[], kind: FaultKind) => faults.some(fault => fault.do === kind)

export const capture = ({ screen }: HelperFacts, { depth, nodes }: Options, faults: readonly Fault[]): Answer => {
  const seen = screen()
  if (!seen) {
    const message = 'Active window root remained incomplete after 500 ms'
    throw new HelperFailure(`${HELPER_PACKAGE}.IncompleteCaptureException`, message)
  }
  const blank = { ...seen, tree: { ...seen.tree, roots: [] } }
  const { xml, windowCount, nodeCount, truncated } = writeHierarchy(has(faults, 'helper-blank') ? blank : seen, {
    depth,
    nodes,
  })
  return {
    xml,
    fields: {
      outputFormat: 'uiautomator-xml',
      captureMode: 'interactive-windows',
      rootPresent: String(seen.tree.roots.length > 0),
      windowCount: String(windowCount),
      nodeCount: String(nodeCount),
      truncated: String(truncated),
      elapsedMs: '1',
    },
  }
}

export const viewport = ({ screen }: HelperFacts): Answer => {
  const { width = 0, height = 0 } = screen() ?? {}
  return { fields: { kind: 'viewport', x: '0', y: '0', width: String(width), height: String(height) } }
}

export const gesture = async (
  { finger, waits }: HelperFacts,
  payload: string,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<Answer> => {
  const plan = readTouchPlan(payload)
  if (!plan) throw new HelperFailure('java.lang.IllegalArgumentException', 'invalid touch plan')
  if (has(faults, 'touch-refused')) {
    throw new HelperFailure('java.lang.IllegalStateException', 'injectInputEvent returned false')
  }
  const injected = performTouch(plan, finger)
  await pause(waits, plan.durationMs, signal)
  return { fields: { kind: plan.kind, injectedEvents: String(injected), elapsedMs: String(plan.durationMs) } }
}

/** Header fields of every answer. */
export const common = (): Record<string, string> => ({ agentDeviceProtocol: PROTOCOL, helperApiVersion: API_VERSION })

export const failed = (error: unknown): Answer => {
  const type = error instanceof HelperFailure ? error.type : 'java.lang.RuntimeException'
  return {
    fields: { ok: 'false', errorType: type, message: error instanceof Error ? error.message : String(error) },
  }
}

/** Arguments and answers of the MCP tools. Arguments are flat: models fill in flat objects most reliably. */
import * as v from 'valibot'
import { APP_KINDS } from './apps.ts'
import { ListedDevice } from './device.ts'
import { ResultEnvelope } from './execution-result.ts'
import { isKeyName, keyNameOf } from './key-names.ts'
import { WAIT_FOR_NODE_MS, WAIT_FOR_PHONE_MS } from './limits.ts'
import { DIRECTIONS, KEYS, PERMISSION_STATES } from './literals.ts'
import { levelNamed, startNamed } from './logs.ts'
import { MCP_LOGS, MCP_RECEIPTS, MCP_SKILLS } from './mcp-limits.ts'
import { anyObject, closedObject, dictionary, openObject } from './objects.ts'
import { type Receipt, ReceiptState } from './receipt.ts'
import { count, integer, positive } from './scalars.ts'
import { ObservedScreen } from './screen.ts'

const maybe = v.exactOptional
const device = { device: maybe(v.string()) }
/** Of the tools that run an execution: they may wait for a device that is busy. */
const target = { ...device, waitMs: maybe(integer(WAIT_FOR_PHONE_MS)) }
const selectors = {
  ref: maybe(v.string()),
  text: maybe(v.string()),
  textContains: maybe(v.string()),
  textMatches: maybe(v.string()),
  id: maybe(v.string()),
  desc: maybe(v.string()),
  descContains: maybe(v.string()),
  role: maybe(v.string()),
  index: maybe(v.number()),
}
const on = maybe(v.boolean())
/** The screen is described after the action: what has changed. */
const observe = { observe: on }
const pixel = maybe(count)

/** Judged by the contract of the action: a list of all keys would cost every client tokens. */
const AnyKey = v.pipe(
  v.string(),
  v.metadata({ description: `${KEYS.join(', ')}, or Android's, such as volume_up` }),
  v.check(key => isKeyName(keyNameOf(key)), 'is not a key of Android'),
)

export const GESTURES = [
  'double_tap',
  'drag',
  'pinch',
  'hide_keyboard',
  'notifications',
  'quick_settings',
  'close_shade',
] as const

export const FILE_ACTIONS = ['list', 'read', 'write', 'remove'] as const

/** By name of the tool. Selectors, keys and ranges are judged by the contract of the action that they become. */
/** A pattern in the listed schema would cost every client tokens. */
const namedBy = (find: (text: string) => unknown, problem: string) =>
  v.pipe(
    v.string(),
    v.check(text => find(text) !== undefined, problem),
  )

export const TOOL_ARGUMENTS = {
  devices: closedObject({}),
  device: closedObject({ ...device }),
  snapshot: closedObject({ format: maybe(v.picklist(['compact', 'full'])), since: maybe(v.string()), ...target }),
  screenshot: closedObject({ ...target }),
  execute: closedObject({ execution: anyObject, ...observe, ...target }),
  apps: closedObject({ app: maybe(v.string()), kind: maybe(v.picklist(APP_KINDS)), ...device }),
  files: closedObject({
    action: v.picklist(FILE_ACTIONS),
    path: v.string(),
    app: maybe(v.string()),
    content: maybe(v.string()),
    base64: on,
    recursive: on,
    ...device,
  }),
  logs: closedObject({
    app: maybe(v.string()),
    level: maybe(namedBy(levelNamed, 'must be verbose, debug, info, warn, error or fatal')),
    since: maybe(namedBy(startNamed, 'must be a time ago such as 10m, or an ISO time')),
    limit: maybe(integer(MCP_LOGS.lines)),
    ...device,
  }),
  open: closedObject({
    target: v.string(),
    activity: maybe(v.string()),
    arguments: maybe(anyObject),
    clearState: on,
    stopFirst: on,
    permissions: maybe(anyObject),
    ...observe,
    ...target,
  }),
  click: closedObject({ ...selectors, x: pixel, y: pixel, long: on, ...observe, ...target }),
  type: closedObject({ value: v.string(), ...selectors, append: on, submit: on, ...observe, ...target }),
  press: closedObject({ key: AnyKey, long: on, ...observe, ...target }),
  swipe: closedObject({
    x1: count,
    y1: count,
    x2: count,
    y2: count,
    durationMs: maybe(positive),
    ...observe,
    ...target,
  }),
  gesture: closedObject({
    gesture: v.picklist(GESTURES),
    ...selectors,
    x: pixel,
    y: pixel,
    toRef: maybe(v.string()),
    toText: maybe(v.string()),
    toX: pixel,
    toY: pixel,
    scale: maybe(v.number()),
    ...observe,
    ...target,
  }),
  dialog: closedObject({ answer: v.string(), ...observe, ...target }),
  scroll: closedObject({ direction: maybe(v.picklist(DIRECTIONS)), ...selectors, ...observe, ...target }),
  scroll_until: closedObject({ direction: maybe(v.picklist(DIRECTIONS)), ...selectors, ...observe, ...target }),
  read: closedObject({ ...selectors, all: on, ...target }),
  wait: closedObject({
    ...selectors,
    app: maybe(v.string()),
    gone: on,
    timeoutMs: maybe(integer(WAIT_FOR_NODE_MS)),
    ...target,
  }),
  app: closedObject({
    action: v.picklist(['install', 'uninstall', 'clear', 'permission']),
    app: maybe(v.string()),
    paths: maybe(v.array(v.string())),
    grantPermissions: on,
    downgrade: on,
    keepData: on,
    permission: maybe(v.string()),
    state: maybe(v.picklist(PERMISSION_STATES)),
    ...observe,
    ...target,
  }),
  settings: closedObject({
    action: v.picklist(['get', 'set', 'restore']),
    setting: maybe(v.string()),
    value: maybe(v.string()),
    app: maybe(v.string()),
    ...device,
  }),
  skills_search: closedObject({
    query: maybe(v.string()),
    app: maybe(v.string()),
    intent: maybe(v.string()),
    limit: maybe(integer(MCP_SKILLS)),
  }),
  skills_get: closedObject({ id: v.string() }),
  skills_run: closedObject({
    id: v.string(),
    args: maybe(v.array(v.string())),
    timeoutMs: maybe(positive),
    expectContains: maybe(v.string()),
    ...device,
  }),
  receipt: closedObject({ executionId: v.string() }),
  receipts: closedObject({
    ...device,
    commandId: maybe(v.string()),
    skillRunId: maybe(v.string()),
    limit: maybe(integer(MCP_RECEIPTS)),
  }),
  emulators: closedObject({}),
  emulator_provision: closedObject({ abi: maybe(v.string()), storageSize: maybe(v.string()), window: on }),
} as const satisfies Record<string, v.GenericSchema>
export type ToolName = keyof typeof TOOL_ARGUMENTS
export type ToolArguments<N extends ToolName> = v.InferOutput<(typeof TOOL_ARGUMENTS)[N]>

const reached = { executionId: v.string(), deviceId: v.string() }
const observed = maybe(ObservedScreen)

/**
 * `data` is what the step says: `scroll_outcome`, `text`, `resolved_package`, ... The shape of `observed` is listed with
 * ExecutionDone alone: eleven tools answer this, and naming it in each costs every client tokens.
 */
export const ActionDone = openObject({ ...reached, data: dictionary(v.string()), observed: maybe(anyObject) })
export const TextRead = openObject({ ...reached, text: v.string() })
const { commandId, taskId, status, stepResults } = ResultEnvelope.entries
/** A successful execution; one that failed is a ToolFailure. */
export const ExecutionDone = openObject({
  ...reached,
  envelope: openObject({ commandId, taskId, status, stepResults }),
  observed,
})

/** A receipt in short; `code` is that of its failure. */
export const ReceiptSummary = openObject({
  executionId: v.string(),
  commandId: v.string(),
  deviceId: v.string(),
  state: ReceiptState,
  dispatched: v.boolean(),
  acceptedAt: count,
  status: maybe(v.string()),
  code: maybe(v.string()),
})
/** The skill run, and in a fleet the host, stand beside it: naming them in the listed schema costs every client tokens. */
export type ReceiptSummary = v.InferOutput<typeof ReceiptSummary> & Pick<Receipt, 'skillRunId' | 'host'>

export const SkillSummary = openObject({
  id: v.string(),
  applicationId: v.string(),
  intent: v.string(),
  summary: v.string(),
})

/** Structured content of the tools; screenshots are images alone. In a fleet, lists add the hosts in `unanswered`. */
export const TOOL_ANSWERS = {
  devices: openObject({ devices: v.array(ListedDevice) }),
  snapshot: TextRead,
  execute: ExecutionDone,
  open: ActionDone,
  click: ActionDone,
  type: ActionDone,
  press: ActionDone,
  swipe: ActionDone,
  gesture: ActionDone,
  dialog: ActionDone,
  scroll: ActionDone,
  scroll_until: ActionDone,
  read: ActionDone,
  wait: ActionDone,
  app: ActionDone,
  skills_search: openObject({ skills: v.array(SkillSummary), count }),
  skills_get: openObject({ skill: anyObject }),
  skills_run: openObject({ status: v.string(), runId: v.string(), executionIds: v.array(v.string()), run: anyObject }),
  receipt: openObject({ receipt: anyObject }),
  receipts: openObject({ receipts: v.array(ReceiptSummary), count }),
  emulators: openObject({
    avds: v.array(openObject({ name: v.string(), running: v.boolean(), supported: v.boolean() })),
    running: v.array(openObject({ avdName: v.string(), serial: v.string(), booted: v.boolean() })),
  }),
  emulator_provision: openObject({
    avdName: v.string(),
    serial: v.string(),
    booted: v.boolean(),
    created: v.boolean(),
    reused: v.boolean(),
  }),
} as const satisfies Partial<Record<ToolName, v.GenericSchema>>

/** A tool that failed answers this as JSON in its text, beside `isError`. Without `executionId` nothing was accepted. */
export const ToolFailure = openObject({
  code: v.string(),
  message: v.string(),
  hint: maybe(v.string()),
  executionId: maybe(v.string()),
  /** True when something may have reached the device; absent where there is no device. */
  dispatched: maybe(v.boolean()),
  details: maybe(anyObject),
})
export type ToolFailure = v.InferOutput<typeof ToolFailure>

/** Arguments of the MCP tools. They are flat: models fill in flat objects most reliably. */
import * as v from 'valibot'
import { APP_KINDS } from '../device/apps.ts'
import { levelNamed, startNamed } from '../device/logs.ts'
import { ReceiptOutcome } from '../executions/evidence.ts'
import { isKeyName, keyNameOf } from '../executions/key-names.ts'
import { FlowVariables } from '../flows/test-run-request.ts'
import { DIRECTIONS, KEYS, PERMISSION_STATES } from '../json/literals.ts'
import { anyObject, closedObject } from '../json/objects.ts'
import { count, integer, positive } from '../json/scalars.ts'
import { WAIT_FOR_NODE_MS, WAIT_FOR_PHONE_MS } from '../limits/limits.ts'
import { MCP_LOGS, MCP_RECEIPTS, MCP_SKILLS } from '../limits/mcp-limits.ts'
import { LeaseNote } from '../reservation.ts'

const maybe = v.exactOptional
/** A serial; a leaseId stands for the device of the reservation, and makes the call one of it. */
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

export const LEASE_ACTIONS = ['create', 'extend', 'end', 'list'] as const

export const FILE_ACTIONS = ['list', 'read', 'write', 'remove'] as const

/** A pattern in the listed schema would cost every client tokens. */
const namedBy = (find: (text: string) => unknown, problem: string) =>
  v.pipe(
    v.string(),
    v.check(text => find(text) !== undefined, problem),
  )

/** By name of the tool. Selectors, keys and ranges are judged by the contract of the action that they become. */
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
  run_flow: closedObject({ yaml: v.string(), env: maybe(FlowVariables), ...device }),
  lease: closedObject({
    action: v.picklist(LEASE_ACTIONS),
    forMs: maybe(v.number()),
    waitMs: maybe(v.number()),
    note: maybe(LeaseNote),
    ...device,
  }),
  receipt: closedObject({ executionId: v.string() }),
  receipts: closedObject({
    ...device,
    commandId: maybe(v.string()),
    taskId: maybe(v.string()),
    skillRunId: maybe(v.string()),
    outcome: maybe(ReceiptOutcome),
    limit: maybe(integer(MCP_RECEIPTS)),
  }),
  emulators: closedObject({}),
  emulator_provision: closedObject({ abi: maybe(v.string()), storageSize: maybe(v.string()), window: on }),
} as const satisfies Record<string, v.GenericSchema>
export type ToolName = keyof typeof TOOL_ARGUMENTS
export type ToolArguments<N extends ToolName> = v.InferOutput<(typeof TOOL_ARGUMENTS)[N]>

const onNode = [...Object.keys(selectors), 'x', 'y']

/** The argument of a tool that chooses what it does, and the arguments that only some of its choices take. */
export const CHOSEN_ARGUMENTS: Readonly<
  Partial<Record<ToolName, { by: string; takes: Readonly<Record<string, readonly string[]>> }>>
> = {
  gesture: {
    by: 'gesture',
    takes: {
      double_tap: onNode,
      drag: [...onNode, 'toRef', 'toText', 'toX', 'toY'],
      pinch: [...onNode, 'scale'],
    },
  },
  files: { by: 'action', takes: { write: ['content', 'base64'], remove: ['recursive'] } },
  app: {
    by: 'action',
    takes: {
      install: ['paths', 'grantPermissions', 'downgrade'],
      uninstall: ['app', 'keepData'],
      clear: ['app'],
      permission: ['app', 'permission', 'state'],
    },
  },
  settings: { by: 'action', takes: { get: ['setting'], set: ['setting', 'value', 'app'] } },
  lease: {
    by: 'action',
    takes: { create: ['device', 'forMs', 'waitMs', 'note'], extend: ['device', 'forMs'], end: ['device'] },
  },
}

/**
 * The executions of one action that svc builds itself: those that `svc click` and the MCP tool `click` build alike,
 * and those of POST /snapshot and /screenshot. Loads no schema.
 */
import type { ActionType } from '../../../contracts/executions/action.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import { EXPECTED_FORMAT, SERVE_SOURCE } from '../../../contracts/json/literals.ts'
import { ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS, SYNTHETIC_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'

const CLI_SOURCE = 'svc-cli'
const MCP_SOURCE = 'svc-mcp'

/** Labels executions by the part of svc that built them; ids begin with the prefix. */
const ORIGINS = {
  serve: { source: SERVE_SOURCE, prefix: 'serve' },
  cli: { source: CLI_SOURCE, prefix: 'cli' },
  mcp: { source: MCP_SOURCE, prefix: 'mcp' },
} as const
type Origin = keyof typeof ORIGINS

interface SyntheticOptions {
  origin: Origin
  /** Epoch milliseconds. */
  now: number
  timeoutMs?: number
}

/** All but the actions; both ids are `<prefix>-<name>-<epoch_ms>`. */
export const frameOf = (name: string, { origin, now, timeoutMs = SYNTHETIC_TIMEOUT_MS }: SyntheticOptions) => {
  const { source, prefix } = ORIGINS[origin]
  const id = `${prefix}-${name}-${now}`
  return { commandId: id, taskId: id, source, expectedFormat: EXPECTED_FORMAT, timeoutMs } as const
}

export const snapshotExecution = (options: SyntheticOptions): Execution => ({
  ...frameOf('snap', options),
  actions: [{ id: 'snap', type: 'snapshot' }],
})

/** The path is the caller's, still to be judged; without one the host picks a new file. */
export const screenshotExecution = (options: SyntheticOptions & { path?: string | undefined }): Execution => ({
  ...frameOf('shot', options),
  actions: [
    options.path === undefined
      ? { id: 'shot', type: 'take_screenshot' }
      : { id: 'shot', type: 'take_screenshot', params: { path: options.path } },
  ],
})

/** Maps the caller's names of selectors to those of a matcher. */
export const SELECTOR_KEYS = {
  ref: 'ref',
  text: 'textEquals',
  textContains: 'textContains',
  textMatches: 'textMatches',
  id: 'resourceId',
  desc: 'contentDescEquals',
  descContains: 'contentDescContains',
  role: 'role',
  index: 'index',
} as const
type Selector = keyof typeof SELECTOR_KEYS

/** Values are the caller's, and still to be validated. */
export interface Draft {
  type: ActionType
  params?: Record<string, unknown>
  /** The timeout of the execution; undefined for the caller's or the default. */
  timeoutMs?: number | undefined
}

type Values = Readonly<Record<string, unknown>>

/** Drops undefined values, so that defaults apply. */
const definedValues = (values: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** All selectors together; undefined when none was given. */
export const matcherFrom = (selectors: Partial<Record<Selector, unknown>>): Record<string, unknown> | undefined => {
  const keys = Object.entries(SELECTOR_KEYS) as [Selector, string][]
  const matcher = definedValues(Object.fromEntries(keys.map(([name, key]) => [key, selectors[name]])))
  return Object.keys(matcher).length === 0 ? undefined : matcher
}

/** The execution around an action that may itself take `actionMs`. */
export const timeoutAround = (actionMs: number): number =>
  Math.min(Math.max(actionMs + ENVELOPE_GRACE_MS, SYNTHETIC_TIMEOUT_MS), EXECUTION_TIMEOUT_MS.max)

const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** With a scheme (https:, tel:, myapp:) it is a URI; anything else is a package name. */
export const isUri = (target: string): boolean => SCHEME.test(target.trim())

/** For an application alone. */
export interface OpenValues {
  activity?: string | undefined
  arguments?: Values | undefined
  clearState?: boolean | undefined
  stopFirst?: boolean | undefined
  permissions?: Values | undefined
}

export const openAction = (target: string, values: OpenValues = {}): Draft =>
  isUri(target)
    ? { type: 'open_uri', params: { uri: target } }
    : { type: 'open_app', params: definedValues({ applicationId: target, ...values }) }

export const REMOVALS = ['uninstall', 'clear'] as const
export type Removal = (typeof REMOVALS)[number]

/** Removes an application, or its data. */
export const removalAction = (removal: Removal, applicationId: string, keepData?: boolean): Draft => ({
  type: `${removal}_app`,
  params: definedValues({ applicationId, keepData }),
})

interface InstallValues {
  paths: readonly string[]
  grantPermissions?: boolean | undefined
  downgrade?: boolean | undefined
}

/** Large applications take a while to send, and some phones ask a person: without a time of the caller it has the longest. */
export const installAction = (
  { paths, grantPermissions, downgrade }: InstallValues,
  timeoutMs: number = EXECUTION_TIMEOUT_MS.max,
): Draft => ({
  type: 'install_app',
  params: definedValues({ paths, grantPermissions, downgrade }),
  timeoutMs,
})

export const permissionAction = (applicationId: string, permission: string, state: string): Draft => ({
  type: 'set_permission',
  params: { applicationId, permission, state },
})

interface ClickValues {
  matcher?: unknown
  coordinate?: { x: number; y: number } | undefined
  clickType?: string | undefined
}

export const clickAction = ({ matcher, coordinate, clickType }: ClickValues): Draft => ({
  type: 'click',
  params: definedValues({ matcher, coordinate, clickType }),
})

interface TypeValues {
  /** Left out: the field that has the focus. */
  matcher?: unknown
  text: string
  append?: boolean | undefined
  clear?: boolean | undefined
  submit?: boolean | undefined
}

export const typeAction = ({ matcher, text, append, clear, submit }: TypeValues): Draft => ({
  type: 'enter_text',
  params: definedValues({ matcher, text, append, clear, submit }),
})

export const pressAction = (key: string, longPress?: boolean): Draft => ({
  type: 'press_key',
  params: definedValues({ key, longPress }),
})

interface Point {
  x: number
  y: number
}

export const swipeAction = (start: Point, end: Point, durationMs?: number): Draft => ({
  type: 'swipe',
  params: definedValues({ start, end, durationMs }),
})

export const scrollAction = (values: { direction?: string | undefined; container?: unknown }): Draft => ({
  type: 'scroll',
  params: definedValues({ direction: values.direction, container: values.container }),
})

interface ScrollUntilValues {
  matcher?: unknown
  direction?: string | undefined
  container?: unknown
  clickAfter?: boolean | undefined
}

export const scrollUntilAction = ({ matcher, direction, container, clickAfter }: ScrollUntilValues): Draft => ({
  type: 'scroll_until',
  params: definedValues({ matcher, direction, container, clickAfter }),
})

export const readAction = (values: { matcher: unknown; all?: boolean | undefined; container?: unknown }): Draft => ({
  type: 'read_text',
  params: definedValues({ matcher: values.matcher, all: values.all, container: values.container }),
})

export const waitAction = (matcher: unknown, timeoutMs: number, state?: 'gone'): Draft => ({
  type: 'wait_for_node',
  params: definedValues({ matcher, state, timeoutMs }),
  timeoutMs: timeoutAround(timeoutMs),
})

interface NavigationValues {
  expectedPackage?: string | undefined
  expectedNode?: unknown
  timeoutMs: number
}

export const navigationAction = ({ expectedPackage, expectedNode, timeoutMs }: NavigationValues): Draft => ({
  type: 'wait_for_navigation',
  params: definedValues({ expectedPackage, expectedNode, timeoutMs }),
  timeoutMs: timeoutAround(timeoutMs),
})

/** The execution of this one action; `name` is what the caller called. */
export const flatExecution = (name: string, { type, params, timeoutMs }: Draft, options: SyntheticOptions) => ({
  ...frameOf(name, { ...options, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
  actions: [{ id: name, type, ...(params === undefined ? {} : { params }) }],
})

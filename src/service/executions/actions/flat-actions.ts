/**
 * The executions of one action that svc builds itself: those that `svc click` and the MCP tool `click` build alike,
 * and those of POST /snapshot and /screenshot. Loads no schema.
 */
import type { ParamsOf } from '../../../contracts/actions/card.ts'
import type { ActionType } from '../../../contracts/executions/action.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import { defined } from '../../../contracts/json/json.ts'
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
  /** The timeout of the execution where its caller names none; undefined for the default. */
  timeoutMs?: number | undefined
}

/** A value that is undefined is left out, so that its default applies. */
export type DraftParams<T extends ActionType> = { readonly [K in keyof NonNullable<ParamsOf[T]>]?: unknown }

/** The execution around an action that may itself take `actionMs`. */
const timeoutAround = (actionMs: unknown): number =>
  Math.min(Math.max(Number(actionMs) + ENVELOPE_GRACE_MS, SYNTHETIC_TIMEOUT_MS), EXECUTION_TIMEOUT_MS.max)

const longest = () => EXECUTION_TIMEOUT_MS.max

/** A start that never draws takes the device ten seconds to tell. */
const STARTUP_RUN_MS = 12_000
const AROUND_STARTUPS_MS = 20_000

/**
 * The time that an execution of one action has: these take as long as their params say, or as long as it takes. It is not
 * on the cards, for a flat command that a daemon performs would load all of them for it.
 */
const TIMEOUTS: { readonly [T in ActionType]?: (params: DraftParams<T>) => number } = {
  push_file: longest,
  pull_file: longest,
  install_app: longest,
  restore_settings: () => EXECUTION_TIMEOUT_MS.max - ENVELOPE_GRACE_MS,
  wait_for_node: ({ timeoutMs }) => timeoutAround(timeoutMs),
  wait_for_navigation: ({ timeoutMs }) => timeoutAround(timeoutMs),
  sleep: ({ durationMs }) => timeoutAround(durationMs),
  measure_startup: ({ runs }) => Math.min(AROUND_STARTUPS_MS + Number(runs) * STARTUP_RUN_MS, EXECUTION_TIMEOUT_MS.max),
}

export const draftOf = <T extends ActionType>(type: T, params?: DraftParams<T>): Draft => ({
  type,
  ...(params && { params: defined(params) }),
  timeoutMs: TIMEOUTS[type]?.(params ?? {}),
})

/** All selectors together; undefined when none was given. */
export const matcherFrom = (selectors: Partial<Record<Selector, unknown>>): Record<string, unknown> | undefined => {
  const keys = Object.entries(SELECTOR_KEYS) as [Selector, string][]
  const matcher = defined(Object.fromEntries(keys.map(([name, key]) => [key, selectors[name]])))
  return Object.keys(matcher).length === 0 ? undefined : matcher
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** With a scheme (https:, tel:, myapp:) it is a URI; anything else is a package name. */
export const isUri = (target: string): boolean => SCHEME.test(target.trim())

/** The params are for an application alone. */
export const openAction = (target: string, params: DraftParams<'open_app'> = {}): Draft =>
  isUri(target) ? draftOf('open_uri', { uri: target }) : draftOf('open_app', { applicationId: target, ...params })

/** `close` for the one that is open. */
export const shadeAction = (shade: string): Draft =>
  shade === 'close' ? draftOf('collapse_shade') : draftOf('expand_shade', { shade: shade.replaceAll('-', '_') })

/** The execution of this one action; `name` is what the caller called. */
export const flatExecution = (name: string, { type, params, timeoutMs }: Draft, options: SyntheticOptions) => ({
  ...frameOf(name, { ...options, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
  actions: [{ id: name, type, ...(params === undefined ? {} : { params }) }],
})

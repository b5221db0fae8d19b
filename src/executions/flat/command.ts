/** A flat command as data: what it is called, what it takes, and the action it stands for. */
import type { ActionType } from '../../contracts/action.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'

export interface FlatFlag {
  /** Without dashes. */
  name: string
  /** What the value is called in the help; a flag without it is a switch. */
  value?: string
  summary: string
}

export interface FlatArgument {
  name: string
  summary: string
  required?: boolean
}

/** One call, its words already split. */
export interface FlatCall {
  args: readonly string[]
  /** The last value of a flag, if it was given. */
  text(flag: string): string | undefined
  all(flag: string): readonly string[]
  isOn(flag: string): boolean
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: ErrorObject }

export interface Draft {
  type: ActionType
  params?: Record<string, unknown>
  /** Of the execution; undefined for what `--timeout` says, or the usual. */
  timeoutMs?: number | undefined
}

export interface FlatCommand {
  path: readonly string[]
  /** How it is called, for usage errors. */
  shape: string
  summary: string
  details?: string
  args?: readonly FlatArgument[]
  flags?: readonly FlatFlag[]
  examples: readonly string[]
  draft(call: FlatCall): Result<Draft>
}

export const accepted = <T>(value: T): Result<T> => ({ ok: true, value })

export const refused = (error: ErrorObject): { ok: false; error: ErrorObject } => ({ ok: false, error })

export const usage = ({ shape }: Pick<FlatCommand, 'shape'>, said: string, hint?: string) =>
  refused(failure('USAGE', `${said}: ${shape}`, { hint }))

/** Params with only the keys that were given: an undefined value is no value of JSON. */
export const given = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))

/** A switch that is off says nothing, so that the default of the action stands. */
export const switched = (call: FlatCall, flag: string): true | undefined => (call.isOn(flag) ? true : undefined)

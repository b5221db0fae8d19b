/** The surroundings in which the expressions of a command are evaluated. */
import type { Interpolate, Place } from '../command.ts'
import type { FlowLibrary } from '../flow-library.ts'
import type { Problem } from '../problem.ts'

export interface SettleContext {
  readonly interpolate: Interpolate
  readonly library: FlowLibrary
  /** The header of the flow that has the command names it. */
  readonly appId?: string | undefined
  /** For the names in a flow that was given as text. */
  readonly directory: string
  /** The files of the flows that run, the main flow first. */
  readonly running: readonly string[]
}

export type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Collects what is wrong with the values of one command. */
export interface Settling {
  readonly context: SettleContext
  readonly problems: Problem[]
}

export const settling = (context: SettleContext): Settling => ({ context, problems: [] })

export const object = (
  { problems }: Settling,
  { file, line, column }: Place,
  message: string,
  hint?: string | undefined,
): undefined => {
  problems.push({ file, line, column, message, ...(hint === undefined ? {} : { hint }) })
  return undefined
}

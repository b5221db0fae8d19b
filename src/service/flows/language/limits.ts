/** The numbers that bound a flow file, what it names, and what its commands may ask for. */

import { EXECUTION_BYTES, EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'

export const variableBytes = (name: string, value: string): number => Buffer.byteLength(name) + Buffer.byteLength(value)

export const envBytes = (env: Readonly<Record<string, string>>): number =>
  Object.entries(env).reduce((sum, [name, value]) => sum + variableBytes(name, value), 0)

export const tooManyVariables = (bytes: number): string =>
  `The variables of the flow have ${bytes} bytes or more in all, and may have ${FLOW_ENV_BYTES}.`

export const FLOW_FILE_BYTES = 1_048_576
/** Counts what aliases stand for as often as they do. */
export const FLOW_NODES_MAX = 10_000
export const FLOW_DEPTH_MAX = 64
export const SUBFLOW_LEVELS_MAX = 32
/** Entries of folders that are looked at for one plan. */
export const FOLDER_ENTRIES_MAX = 50_000
/** The sources of the flows and scripts that stay in memory once they are read; others are read again. */
export const LIBRARY_BYTES = 2 * 1_024 * 1_024

/** A text that a command types, copies or compares, and the value of one variable: no execution carries a longer one. */
export const FLOW_TEXT_BYTES = EXECUTION_BYTES
/** The names and values of all variables that a command sees. */
export const FLOW_ENV_BYTES = 1_048_576
/** The texts of one attempt that are on record, so that a later process can go on with it. */
export const FLOW_KEPT_TEXT_BYTES = 16 * 1_024 * 1_024
/** The length of a random text. */
export const RANDOM_CHARS_MAX = 10_000
/** The lines of `console.log` of one attempt that are on record. */
export const FLOW_LOG_LINES_MAX = 1_000
export const FLOW_LOG_BYTES = 128 * 1_024
/** Commands that one attempt begins: all are on record. */
export const FLOW_COMMANDS_MAX = 20_000
/** No attempt takes longer: then it is cancelled. */
export const ATTEMPT_MS_MAX = 6 * 60 * 60_000
/** How long an execution may take beyond the waits in it. */
export const EXECUTION_MARGIN_MS = 30_000
/** The longest wait or gesture that one execution has room for. */
export const ONE_WAIT_MS_MAX = EXECUTION_TIMEOUT_MS.max - EXECUTION_MARGIN_MS
/** The pauses between the taps of one tapOn, which also looks for its element. */
export const TAPS_MS_MAX = 60_000

/** The answers that the emulator machine gives by itself: to its findings, and when time is up. */

import { because, cites } from '../rows.ts'
import type { EmulatorFailure, EmulatorPhase } from './emulator-context.ts'

/** The message for an emulator that did not come up in time, per phase. */
export const LATE: Partial<Record<EmulatorPhase, string>> = {
  registering: 'The debug bridge did not list the emulator in time.',
  booting: 'The emulator did not boot in time.',
  preparing: 'The emulator booted, but its developer settings could not be enabled in time.',
}

export const MISSING = {
  code: 'EMULATOR_NOT_FOUND',
  message: 'There is no AVD of this name.',
  meta: cites('emulator.start-missing'),
}
export const RUNS = {
  code: 'EMULATOR_ALREADY_RUNNING',
  message: 'The emulator is running; stop it first.',
  meta: cites('emulator.start-running'),
}
export const TAKEN = {
  code: 'EMULATOR_ALREADY_EXISTS',
  message: 'An AVD of this name exists; it is never overwritten.',
  meta: because('create never overwrites'),
}
export const RESTS = {
  code: 'EMULATOR_NOT_RUNNING',
  message: 'The emulator is not running.',
  meta: because('there is nothing to stop'),
}

export const UNKNOWN: EmulatorFailure = { code: 'INTERNAL_ERROR', message: 'The change failed.', details: null }

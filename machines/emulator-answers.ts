/** What the emulator machine answers by itself: to what was found, and when time is up. */
import type { EmulatorAsk, EmulatorFailure, EmulatorFinding, EmulatorPhase } from './emulator-context.ts'

/** What is answered when an emulator did not come up in time. */
export const LATE: Partial<Record<EmulatorPhase, string>> = {
  registering: 'The debug bridge did not list the emulator in time.',
  booting: 'The emulator did not boot in time.',
  preparing: 'The emulator booted, but its developer settings could not be enabled in time.',
}

const MISSING = { code: 'EMULATOR_NOT_FOUND', message: 'There is no AVD of this name.' }
const RUNS = { code: 'EMULATOR_ALREADY_RUNNING', message: 'The emulator is running; stop it first.' }
const TAKEN = { code: 'EMULATOR_ALREADY_EXISTS', message: 'An AVD of this name exists; it is never overwritten.' }
const RESTS = { code: 'EMULATOR_NOT_RUNNING', message: 'The emulator is not running.' }

/** What was found may leave nothing to do: a repair is done then, and anything else is refused. */
export const ANSWERS: Partial<Record<EmulatorAsk, Partial<Record<EmulatorFinding, Omit<EmulatorFailure, 'details'>>>>> =
  {
    create: { stopped: TAKEN, running: TAKEN },
    start: { absent: MISSING, running: RUNS },
    stop: { absent: MISSING, stopped: RESTS },
    delete: { absent: MISSING, running: RUNS },
  }

export const UNKNOWN: EmulatorFailure = { code: 'INTERNAL_ERROR', message: 'The change failed.', details: null }

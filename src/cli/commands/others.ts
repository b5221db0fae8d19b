/** The commands that ask, watch and serve. */
import type { Command } from '../command.ts'
import { completion } from './completion.ts'
import { daemon } from './daemon.ts'
import { devices } from './devices.ts'
import { doctor } from './doctor.ts'
import { executions } from './executions.ts'
import { help } from './help.ts'
import { journal } from './journal.ts'
import { serve } from './serve.ts'
import { simulate } from './simulate.ts'
import { watch } from './watch.ts'

export const OTHERS: readonly Command[] = [
  devices,
  ...executions,
  watch,
  serve,
  ...daemon,
  simulate,
  doctor,
  ...journal,
  completion,
  help,
]

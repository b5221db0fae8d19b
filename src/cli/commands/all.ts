/** Every command of `svc`, in the order in which the help lists them. */
import type { Command } from '../command.ts'
import { completion } from './completion.ts'
import { daemon } from './daemon.ts'
import { devices } from './devices.ts'
import { doctor } from './doctor.ts'
import { emulators } from './emulators.ts'
import { exec } from './exec.ts'
import { executions } from './executions.ts'
import { FLAT } from './flat.ts'
import { fleet } from './fleet.ts'
import { help } from './help.ts'
import { inspect } from './inspect.ts'
import { INSTALL } from './install.ts'
import { journal } from './journal.ts'
import { mcp } from './mcp.ts'
import { operator } from './operator.ts'
import { screen } from './screen.ts'
import { serve } from './serve.ts'
import { simulate } from './simulate.ts'
import { SKILLS } from './skills.ts'
import { watch } from './watch.ts'

export const COMMANDS: readonly Command[] = [
  exec,
  ...screen,
  ...FLAT,
  ...SKILLS,
  ...devices,
  ...emulators,
  ...operator,
  ...executions,
  watch,
  inspect,
  serve,
  ...fleet,
  mcp,
  ...daemon,
  ...simulate,
  doctor,
  ...journal,
  ...INSTALL,
  ...completion,
  help,
]

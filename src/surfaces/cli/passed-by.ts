/** Says why the daemon is passed by: one of another environment is at each command, and that is told at the first. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readSmall, writeAtomically } from '../../runtime/files/small-file.ts'
import { homeOf } from '../../runtime/home.ts'
import { isOtherEnvironment } from '../daemon/client/other-environment.ts'
import { environmentOf } from '../daemon/identity.ts'
import { daemonKey, daemonPaths } from '../daemon/paths.ts'
import type { CommandContext } from './command.ts'
import { deviceOf } from './executions/execution-command.ts'

/** So many environments are remembered for each daemon; the oldest is told again then. */
const REMEMBERED_MAX = 20

/** False for every other notice: what is in the way may be another thing each time. */
const wasToldBefore = (notice: string, call: CommandContext): boolean => {
  if (!isOtherEnvironment(notice)) return false
  const { env } = call
  const device = deviceOf(call)
  const path = join(daemonPaths(homeOf(env), device).directory, `${daemonKey(device)}.passed`)
  const mark = createHash('sha256')
    .update(`${notice}\n${environmentOf(env)}`)
    .digest('hex')
  const known = (readSmall(path) ?? '').split('\n').filter(line => line !== '')
  if (known.includes(mark)) return true
  try {
    writeAtomically(path, `${[...known, mark].slice(-REMEMBERED_MAX).join('\n')}\n`)
  } catch {
    // It is told once more then.
  }
  return false
}

export const tellPassedBy = (notice: string, isRerun: boolean, call: CommandContext): void => {
  if (wasToldBefore(notice, call)) return
  const what = isRerun ? 'Reading again' : 'Running'
  call.log.warn(`${what} without the daemon: ${notice}${notice.endsWith('.') ? '' : '.'}`)
}

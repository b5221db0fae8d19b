/** `svc doctor` on this host: Node, the home directory, the journal. */

import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { journalPath } from '../../runtime/home.ts'
import { examineJournal } from '../../runtime/journal/check.ts'
import { unknownKeysMessage } from '../../runtime/journal/loss.ts'
import { isRepairable } from '../../runtime/journal/repair.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Call } from '../command.ts'
import { type Check, failed, fine, warning } from './check.ts'

/** Repeats `engines` of package.json. */
const NODE_LEAST = [20, 19] as const

export const checkNode = (version: string): Check => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1])
  return isEnough
    ? fine('node', `Node ${version}`)
    : failed('node', `Node ${version} is too old`, { hint: `Install Node ${NODE_LEAST.join('.')} or newer.` })
}

/** The path, or the nearest directory above it that is there. */
export const existing = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found || dirname(path) === path ? path : existing(dirname(path))
}

/** A home that is not there yet must be one that can be made. */
export const checkHome = (home: string): Check => {
  try {
    const found = existing(home)
    if (!statSync(found).isDirectory()) return failed('home', `${found} is not a directory`, { details: { home } })
    accessSync(found, constants.W_OK | constants.X_OK)
    return fine('home', found === home ? `${home} is writable` : `${home} will be created when needed`)
  } catch (error) {
    return failed('home', `${home} is not writable: ${messageOf(error)}`, {
      hint: 'Make it writable for this user, or set SVC_HOME to another directory.',
    })
  }
}

const REPAIR = 'run svc journal repair: it sets the damaged files aside and starts a new journal'

export const checkJournal = ({ home, clock, env }: Pick<Call, 'clock' | 'env'> & { home: string }): Check => {
  if (env.SVC_JOURNAL === 'off') return fine('journal', 'not used: SVC_JOURNAL is off')
  const path = journalPath(home)
  const examined = examineJournal({ path, clock })
  if (examined.state === 'absent') return fine('journal', 'there is no journal yet; the first execution creates it')
  if (examined.state === 'in order') {
    const { seq, keysUnknownBefore } = examined
    const details = { seq }
    if (keysUnknownBefore === undefined) return fine('journal', `${path} is in order`, { details })
    const message = `${path} is in order, but receipts were lost with an earlier file`
    return warning('journal', message, { details, hint: unknownKeysMessage(keysUnknownBefore) })
  }
  const { error } = examined
  return failed('journal', `${path}: ${error.message}`, {
    details: { reason: error.reason },
    hint: isRepairable(path, error) ? REPAIR : error.hint,
  })
}

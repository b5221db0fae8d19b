/** `svc doctor` on this host: Node, the home directory, the journal. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { journalPath } from '../../runtime/journal/path.ts'
import type { CliDeps } from '../deps.ts'
import { examineJournal } from '../journal/examine.ts'
import { type Check, failed, fine } from './check.ts'

/** As in `engines` of package.json. */
const NODE_LEAST = [20, 19] as const

export const checkNode = (version: string): Check => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1])
  return isEnough
    ? fine('node', `Node ${version}`)
    : failed('node', `Node ${version} is too old`, { hint: `Install Node ${NODE_LEAST.join('.')} or newer.` })
}

const existing = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found || dirname(path) === path ? path : existing(dirname(path))
}

/** A home that is not there yet must be one that can be made. */
export const checkHome = (home: string): Check => {
  try {
    const found = existing(home)
    if (!statSync(found).isDirectory()) return failed('home', `${found} is no directory`, { details: { home } })
    accessSync(found, constants.W_OK | constants.X_OK)
    return fine('home', found === home ? `${home} is writable` : `${home} will be made when it is needed`)
  } catch (error) {
    return failed('home', `${home} is not writable: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Make it writable for this user, or name another one with SVC_HOME.',
    })
  }
}

const REPAIRABLE = new Set(['corrupt', 'truncated'])

export const checkJournal = ({ home, journal }: Pick<CliDeps, 'home' | 'journal'>): Check => {
  const path = journalPath(home)
  const examined = examineJournal({ path, open: journal, thorough: false })
  if (examined.state === 'absent') return fine('journal', 'there is none yet; the first execution begins it')
  if (examined.state === 'in order')
    return fine('journal', `${path} is in order`, { details: { seq: examined.records } })
  const { reason, message, hint } = examined.error
  return failed('journal', `${path}: ${message}`, {
    details: { reason },
    hint: REPAIRABLE.has(reason) ? `${hint}: svc journal repair` : hint,
  })
}

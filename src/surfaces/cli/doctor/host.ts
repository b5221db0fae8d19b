/** `svc doctor` on this host: Node, the home directory, the disk, the journal, the policy, and what is set up for agents. */

import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DISK_FREE_LEAST, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import { journalPath } from '../../../runtime/home.ts'
import { examineJournal } from '../../../runtime/journal/check.ts'
import { asJournalError } from '../../../runtime/journal/fault.ts'
import { folderProblem } from '../../../runtime/journal/file-problems.ts'
import { unknownKeysMessage } from '../../../runtime/journal/loss.ts'
import { isRepairable } from '../../../runtime/journal/repair.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type Check, failed, fine, warning } from '../../../service/doctor/check.ts'
import { authoringStatus } from '../../../service/install/status.ts'
import { createPolicy, policyFile } from '../../../service/policy/load.ts'
import { brokenDenial } from '../../../service/policy/refuse.ts'
import type { CommandContext } from '../command.ts'
import { authoringOptions } from '../install/places.ts'

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

/** A file that cannot be used denies everything. */
export const checkPolicy = ({ env, home }: Pick<CommandContext, 'env'> & { home: string }): Check => {
  const loaded = createPolicy(policyFile({ env, home }))()
  switch (loaded.kind) {
    case 'none':
      return fine('policy', 'there is no policy: everything is allowed')
    case 'policy': {
      const { path, policy } = loaded
      const rules = policy.rules.length
      return fine('policy', `${path} is valid: ${rules} ${rules === 1 ? 'rule' : 'rules'}`, {
        details: { path, rules },
      })
    }
    case 'broken': {
      const { path, problem } = loaded
      const { hint } = brokenDenial(loaded, 'cli')
      return failed('policy', `${path} cannot be used: ${problem}; until it can, everything is denied`, {
        details: { path },
        ...(hint === undefined ? {} : { hint }),
      })
    }
  }
}

const REPAIR = 'Run svc journal repair: it sets the damaged files aside and starts a new journal.'

export const checkJournal = ({ home, clock, env }: Pick<CommandContext, 'clock' | 'env'> & { home: string }): Check => {
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

const TRIAL_BYTES = 65_536

/** A few pages, as one record takes them: a file system may report room that it does not give. */
const tryWriting = (folder: string): void => {
  const trial = join(folder, `.svc-doctor-${randomBytes(6).toString('hex')}`)
  const file = openSync(trial, 'wx', STATE_FILE_MODE)
  try {
    let left = TRIAL_BYTES
    while (left > 0) left -= writeSync(file, Buffer.alloc(left))
    fsyncSync(file)
  } finally {
    closeSync(file)
    rmSync(trial, { force: true })
  }
}

const FREE = { hint: 'Free space on that disk, or set SVC_HOME to a directory on another disk.' }

const mebibytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)} MiB`

export const checkDisk = (home: string): Check => {
  let folder = dirname(journalPath(home))
  try {
    folder = existing(folder)
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    const bytes = bavail * bsize
    // Some file systems do not count files.
    const inodes = files > 0 ? ffree : undefined
    const details = { folder, freeBytes: bytes, ...(inodes === undefined ? {} : { freeInodes: inodes }) }
    try {
      tryWriting(folder)
    } catch (error) {
      const { reason, message, hint } = asJournalError(error)
      if (reason === 'full') return failed('disk', `the disk of ${folder} is full: ${message}`, { ...FREE, details })
      return failed('disk', folderProblem(folder)?.message ?? `${folder} cannot be written: ${message}`, {
        details,
        hint,
      })
    }
    if (bytes < DISK_FREE_LEAST.bytes) {
      return warning('disk', `the disk of ${folder} has ${mebibytes(bytes)} left`, { ...FREE, details })
    }
    if (inodes !== undefined && inodes < DISK_FREE_LEAST.inodes) {
      return warning('disk', `the disk of ${folder} has room for ${inodes} more files`, { ...FREE, details })
    }
    return fine('disk', `${mebibytes(bytes)} are free`, { details })
  } catch (error) {
    const { message, hint } = asJournalError(error)
    return failed('disk', `${folder} cannot be used: ${message}`, { hint })
  }
}

export const checkSetup = (call: Pick<CommandContext, 'env'>): Check => {
  try {
    const { count, hosts } = authoringStatus(authoringOptions(call))
    if (count === 0) {
      return fine('agents', 'not set up: agents do not know of svc', {
        hint: 'See what svc install would write: svc install --dry-run',
      })
    }
    const details = { hosts: hosts.map(({ host, state }) => ({ host, state })) }
    const behind = hosts.filter(({ state }) => state !== 'ok').map(({ host, state }) => `${host}: ${state}`)
    if (behind.length === 0) return fine('agents', `${count} authoring skills are installed and current`, { details })
    return fine('agents', `authoring skills are not everywhere current (${behind.join(', ')})`, {
      details,
      hint: 'See what svc install would change: svc install --dry-run',
    })
  } catch (error) {
    return warning('agents', `the authoring skills cannot be examined: ${messageOf(error)}`)
  }
}

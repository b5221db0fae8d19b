/** One change to a place on the disk: made ready beside it, and put there only if the place is still as it was planned. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { makeOwnerOnly } from '../../runtime/files/owner-only.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { systemProblem } from '../../runtime/system-problem.ts'
import { entryAt } from './plan.ts'
import { type Folder, openFolder } from './safe-folder.ts'

type Files = ReadonlyMap<string, Buffer>

type Content =
  | { kind: 'folder'; files: Files }
  | { kind: 'link'; target: string }
  | { kind: 'file'; bytes: Buffer; mode: number }
  /** Keeps the content of what is there, and removes the rights of other users. */
  | { kind: 'owner-only' }
  /** An empty directory that stays when it is there already. */
  | { kind: 'directory' }
  | { kind: 'nothing' }
  /** A directory that goes if it is empty by then. */
  | { kind: 'no-directory' }

export interface Change {
  /** Physical, but for its last part. */
  path: string
  make: Content
  /** The identity of what is there and goes; undefined when nothing is. */
  over?: string | undefined
  /** A failure is a warning and no refusal. */
  isOptional?: boolean
}

const NAME_BYTES = 8
const draftName = (kind: 'new' | 'old') => `.svc-${kind}-${randomBytes(NAME_BYTES).toString('hex')}`

/** A process that was killed may leave such names beside its targets. */
export const DRAFT_NAME = /^\.svc-(new|old)-[0-9a-f]{16}$/

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

const writeNew = (path: string, bytes: Buffer, mode: number): void => {
  const opened = openSync(path, CREATE, STATE_FILE_MODE)
  try {
    writeFileSync(opened, bytes)
    fchmodSync(opened, mode)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

const CHANGED = 'something else was put there meanwhile; it was left alone'

const changed = (): never => {
  throw new Error(CHANGED)
}

const isAbsent = (error: unknown) => systemProblem(error).code === 'ENOENT'

/** Moves away what the plan saw, and nothing else: a rename follows no link, and what came away is looked at again. */
const moveAway = (folder: Folder, name: string, over: string): string => {
  const old = draftName('old')
  renameSync(folder.at(name), folder.at(old))
  if (entryAt(folder.at(old))?.identity === over) return old
  if (!entryAt(folder.at(name))) renameSync(folder.at(old), folder.at(name))
  return changed()
}

/** Never over something that is there. */
const put = (folder: Folder, draft: string, name: string): void => {
  try {
    linkSync(folder.at(draft), folder.at(name))
    unlinkSync(folder.at(draft))
  } catch (error) {
    const { code } = systemProblem(error)
    // File systems without hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code))
      throw code === 'EEXIST' ? new Error(CHANGED) : error
    if (entryAt(folder.at(name))) changed()
    renameSync(folder.at(draft), folder.at(name))
  }
}

const writeFile = (folder: Folder, name: string, make: Content & { kind: 'file' }, over: string | undefined): void => {
  const draft = draftName('new')
  try {
    writeNew(folder.at(draft), make.bytes, make.mode)
    if (over === undefined) put(folder, draft, name)
    else if (entryAt(folder.at(name))?.identity !== over) changed()
    // In one step, so that a reader finds the old text or the new one.
    else renameSync(folder.at(draft), folder.at(name))
  } finally {
    rmSync(folder.at(draft), { force: true })
  }
}

const writeFolder = (folder: Folder, path: string, files: Files, place: () => void): void => {
  mkdirSync(folder.at(basename(path)), { mode: HOME_MODE })
  try {
    const inside = openFolder(path)
    try {
      for (const [name, bytes] of files) writeNew(inside.at(name), bytes, STATE_FILE_MODE)
    } finally {
      inside.close()
    }
    place()
  } finally {
    rmSync(folder.at(basename(path)), { recursive: true, force: true })
  }
}

/** Puts a folder or a link where an older one was; that one comes back if the new one cannot be put there. */
const swap = (folder: Folder, name: string, over: string | undefined, place: () => void): void => {
  const old = over === undefined ? undefined : moveAway(folder, name, over)
  try {
    if (old === undefined && entryAt(folder.at(name))) changed()
    place()
  } catch (error) {
    if (old !== undefined && !entryAt(folder.at(name))) renameSync(folder.at(old), folder.at(name))
    throw error
  }
  if (old !== undefined) rmSync(folder.at(old), { recursive: true, force: true })
}

const removeEmpty = (path: string): void => {
  try {
    rmdirSync(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemProblem(error).code)) throw error
  }
}

const makeDirectory = (path: string): void => {
  try {
    mkdirSync(path, { mode: HOME_MODE })
  } catch (error) {
    if (entryAt(path)?.kind !== 'folder') throw error
  }
}

const replaceFolder = (folder: Folder, path: string, files: Files, over: string | undefined): void => {
  const draft = draftName('new')
  writeFolder(folder, join(dirname(path), draft), files, () =>
    swap(folder, basename(path), over, () => renameSync(folder.at(draft), folder.at(basename(path)))),
  )
}

const applyIn = (folder: Folder, { path, make, over }: Change): void => {
  const name = basename(path)
  if (make.kind === 'directory') makeDirectory(folder.at(name))
  else if (make.kind === 'owner-only') makeOwnerOnly(folder.at(name))
  else if (make.kind === 'no-directory') removeEmpty(folder.at(name))
  else if (make.kind === 'file') writeFile(folder, name, make, over)
  else if (make.kind === 'link') swap(folder, name, over, () => symlinkSync(make.target, folder.at(name)))
  else if (make.kind === 'folder') replaceFolder(folder, path, make.files, over)
  else if (over !== undefined) swap(folder, name, over, () => {})
}

/** Returns the problem, or undefined. Removing something that is gone already succeeds. */
export const applyChange = (change: Change): string | undefined => {
  let folder: Folder | undefined
  try {
    folder = openFolder(dirname(change.path))
    applyIn(folder, change)
    return undefined
  } catch (error) {
    const isRemoval = change.make.kind === 'nothing' || change.make.kind === 'no-directory'
    if (isRemoval && isAbsent(error)) return undefined
    const { code, said: reason } = systemProblem(error)
    if (['ELOOP', 'ENOTDIR'].includes(code))
      return 'a symbolic link or a file was put on the way to it; it was not followed'
    return code === '' ? messageOf(error) : reason
  } finally {
    folder?.close()
  }
}

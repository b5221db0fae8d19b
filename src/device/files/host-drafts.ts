/** Names beside a place of the host for what is on its way to it, and the removal of what a killed process has left there. */
import { createHash, randomBytes } from 'node:crypto'
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { codeOf } from '../../runtime/message-of.ts'
import { type ProcessIdentity, startOf, thisProcess } from '../../runtime/processes/processes.ts'
import type { FileRoots } from './file-roots.ts'
import { type HeldFolder, withFolder } from './open-path.ts'

const HEX_CHARS = 16
const hexOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HEX_CHARS)

/** The same for every transfer of this machine to that name. */
const placeMark = (name: string) => `.svc-${hexOf(`${hostname()}/${name}`)}`

const canAskStart = process.platform !== 'win32'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The processes of this machine that may work at drafts. */
export interface DraftOwners {
  self(): ProcessIdentity
  /** When the process with that pid began; undefined where none runs. */
  startOf(pid: number): string | undefined
}

/** Where no process can be asked when it began, it is told by its pid alone. */
const SYSTEM: DraftOwners = canAskStart
  ? { self: thisProcess, startOf }
  : { self: () => ({ pid: process.pid, started: '' }), startOf: pid => (isRunning(pid) ? '' : undefined) }

/** The name belongs to one transfer and says which process works at it. */
export const draftName = (name: string, owners = SYSTEM): string => {
  const { pid, started } = owners.self()
  return `${placeMark(name)}-${pid}-${hexOf(started)}-${randomBytes(4).toString('hex')}.tmp`
}

const isInUse = (pid: number, mark: string, owners: DraftOwners): boolean => {
  const started = owners.startOf(pid)
  return started !== undefined && hexOf(started) === mark
}

/** Removes it with all that is in it, and follows no link, also none that takes the place of a folder meanwhile. */
export const removeTree = async (folder: HeldFolder, name: string, roots: FileRoots): Promise<void> => {
  const path = folder.at(name)
  if (!(await lstat(path)).isDirectory()) return unlink(path)
  await withFolder(path, roots, async inside => {
    for (const each of await readdir(inside.at('.'))) await removeTree(inside, each, roots)
  })
  await rmdir(path)
}

export const dropDraft = (folder: HeldFolder, name: string, roots: FileRoots): Promise<void> =>
  removeTree(folder, name, roots).catch(() => {})

/** Drafts for the same place whose process is gone. */
export const sweepDrafts = async (
  folder: HeldFolder,
  name: string,
  roots: FileRoots,
  owners = SYSTEM,
): Promise<void> => {
  const mark = placeMark(name)
  const names = await readdir(folder.at('.')).catch(() => [])
  for (const draft of names) {
    if (!draft.startsWith(`${mark}-`)) continue
    const [, pid, started] = /^-(\d+)-([0-9a-f]{16})-[0-9a-f]{8}\.tmp$/.exec(draft.slice(mark.length)) ?? []
    if (pid !== undefined && started !== undefined && !isInUse(Number(pid), started, owners))
      await dropDraft(folder, draft, roots)
  }
}

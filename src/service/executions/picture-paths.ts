/**
 * The paths that the steps of an execution name for their pictures: part of its payload wherever it is run, and kept
 * on the machine of the caller for steps that are resumed later.
 */

import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import type { RequestOptions, Result, Service } from '../service.ts'

const FOLDER_MODE = 0o700

/** Paths on this machine. A resumption has the last steps of an execution, so they are counted from its end: the last one is 1. */
export type PicturePaths = ReadonlyMap<number, string>

/** UUIDs of version 7 sort by time, so the first names are the oldest. */
const REMEMBERED_MAX = 1_000

/** The file that has the paths of one execution. */
const pathsFile = (folder: string, executionId: string): string =>
  join(folder, 'paths', `${encodeURIComponent(executionId)}.json`)

/** Keeps the paths on this machine, for steps that are resumed later: the host of the phone never sees them. */
export const rememberPaths = async (folder: string, executionId: string, paths: PicturePaths): Promise<void> => {
  if (paths.size === 0) return
  const file = pathsFile(folder, executionId)
  try {
    makeFolder(dirname(file), FOLDER_MODE)
    await writeFile(file, JSON.stringify([...paths]), { mode: STATE_FILE_MODE })
    const names = (await readdir(dirname(file))).sort()
    for (const name of names.slice(0, Math.max(0, names.length - REMEMBERED_MAX)))
      await rm(join(dirname(file), name), { force: true })
  } catch {
    // A resumed step then writes its picture where those without a path go.
  }
}

const isPath = (entry: unknown): entry is [number, string] =>
  Array.isArray(entry) && typeof entry[0] === 'number' && typeof entry[1] === 'string'

const rememberedPaths = async (folder: string, executionId: string): Promise<PicturePaths> => {
  try {
    const entries: unknown = JSON.parse(await readFile(pathsFile(folder, executionId), 'utf8'))
    return new Map(Array.isArray(entries) ? entries.filter(isPath) : [])
  } catch {
    return new Map()
  }
}

/** The paths of an execution, or of the one that it resumes: another host may have been asked to do that. */
export const pathsToResume = async (
  folder: string,
  executionId: string,
  service: Pick<Service, 'executions.get'>,
  call: RequestOptions,
): Promise<PicturePaths> => {
  for (let id: string | undefined = executionId; id !== undefined; ) {
    const paths = await rememberedPaths(folder, id)
    if (paths.size > 0) return paths
    const found: Result<{ execution: Receipt }> = await service['executions.get']({ executionId: id }, call)
    id = found.ok ? found.value.execution.resumes : undefined
  }
  return new Map()
}

const SCREENSHOT = 'take_screenshot'

/** Holds the paths as the caller wrote them, by the position of their step. */
export type NamedPaths = ReadonlyMap<number, string>

/** The same execution is returned where no step names a path. */
export const withoutPicturePaths = (execution: Execution): { execution: Execution; named: NamedPaths } => {
  const named = new Map<number, string>()
  const actions = execution.actions.map((action, position) => {
    if (action.type !== SCREENSHOT || action.params?.path === undefined) return action
    const { path, ...params } = action.params
    named.set(position, path)
    return { ...action, params }
  })
  return { execution: named.size === 0 ? execution : { ...execution, actions }, named }
}

/** Undefined where no path is named. */
export const digestOfPaths = (named: NamedPaths): string | undefined =>
  named.size === 0
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([...named]))
        .digest('hex')

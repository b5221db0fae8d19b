/** An execution whose steps name files of this machine, for a phone of another host: the files go there first, and what is pulled comes back. */
import { lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Execution } from '../../contracts/execution.ts'
import { failure } from '../../contracts/failures.ts'
import { hostPathsOf, namesHostPaths, withHostPaths } from '../../contracts/host-paths.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { type Call, failed, type Result, type Service, success } from '../service.ts'
import { listFolder, packFolder } from './pack.ts'
import { writePulled, writeReference } from './references.ts'
import { sendFile } from './send.ts'
import { digestOf } from './store.ts'

export interface CarryOptions {
  /** Relative paths of the caller start here. */
  relativeTo: string
  service: Pick<Service, 'parcels.put'>
  call: Call
  /** Names the host for a client of the fleet, as it does with the execution. */
  deviceId?: string | undefined
  told?: ((progress: { what: string; done: number; total: number }) => void) | undefined
}

const notThere = (path: string, why: unknown) =>
  failed(
    failure('FILE_NOT_FOUND', `${path} cannot be read: ${messageOf(why)}. Nothing was sent.`, {
      details: { path, dispatched: false },
    }),
  )

const refused = (path: string, why: string) =>
  failed(
    failure('FILE_REFUSED', `${path} cannot be sent: ${why}. Nothing was done on the device.`, {
      details: { path, dispatched: false },
    }),
  )

const withScratch = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-parcel-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const sendOne = async (path: string, { service, call, deviceId, told }: CarryOptions): Promise<Result<string>> => {
  const name = basename(path)
  const send = async (file: string, kind: 'file' | 'folder'): Promise<Result<string>> => {
    const { size: bytes } = await lstat(file)
    const digest = await digestOf(file)
    const what = `sending ${name} to the host of the device`
    const sent = await sendFile(
      { path: file, digest, bytes },
      { service, call, deviceId, told: done => told?.({ what, done, total: bytes }) },
    )
    return sent.ok ? success(writeReference({ kind, digest, name })) : sent
  }
  try {
    const found = await lstat(path)
    if (found.isFile()) return await send(path, 'file')
    if (!found.isDirectory()) return refused(path, 'it is neither a file nor a folder')
    return await withScratch(async folder => {
      const packed = join(folder, 'packed')
      await packFolder(path, await listFolder(path), packed)
      return send(packed, 'folder')
    })
  } catch (error) {
    return notThere(path, error)
  }
}

/** The same execution with references in the place of paths. Nothing is sent for one that names none. */
export const sendFilesOf = async (execution: Execution, options: CarryOptions): Promise<Result<Execution>> => {
  if (!execution.actions.some(namesHostPaths)) return success(execution)
  const references = new Map<string, string>()
  for (const path of execution.actions.flatMap(action => hostPathsOf(action).reads)) {
    if (references.has(path)) continue
    const sent = await sendOne(resolve(options.relativeTo, path), options)
    if (!sent.ok) return sent
    references.set(path, sent.value)
  }
  const actions = execution.actions.map((action, position) => {
    if (hostPathsOf(action).writes.length === 0) return withHostPaths(action, path => references.get(path) ?? path)
    const brought = withHostPaths(action, path => writePulled({ position, name: basename(path) }))
    // Only this machine knows what is there.
    return { ...brought, params: { ...brought.params, overwrite: true } } as typeof action
  })
  return success({ ...execution, actions })
}

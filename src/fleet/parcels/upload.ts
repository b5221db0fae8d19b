/** An execution whose steps name files of this machine, for a phone of another host: the files go there first, and what is pulled comes back. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Execution } from '../../contracts/executions/execution.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { hostPathsOf, namesHostPaths, withHostPaths } from '../../contracts/host-paths.ts'
import type { TellProgress } from '../../contracts/records/actor.ts'
import type { FileRoots } from '../../device/files/file-roots.ts'
import { bytesOf, sourceOf } from '../../device/files/host-files.ts'
import { StepFailure } from '../../device/screen/step-failure.ts'
import { inTemporaryFolder } from '../../runtime/temporary-folders.ts'
import { packFolder } from '../../service/parcels/pack.ts'
import { writePulled, writeReference } from '../../service/parcels/references.ts'
import { digestOf } from '../../service/parcels/store.ts'
import { type Failed, failed, type RequestOptions, type Result, type Service, success } from '../../service/service.ts'
import { type FileToSend, sendFile } from './send.ts'

const NEVER = new AbortController().signal

export interface CarryOptions {
  service: Pick<Service, 'parcels.put'>
  call: RequestOptions
  /** The folders below which the caller may name files; left out for one who may name any. */
  fileRoots?: FileRoots
  /** Names the host for a client of the fleet, as it does with the execution. */
  deviceId?: string | undefined
  told?: TellProgress | undefined
}

/** The digest is of the bytes that the caller may read, whatever is in their place when they are sent. */
const digestOfBytes = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

const sendOne = async (path: string, options: CarryOptions): Promise<Result<string>> => {
  const { service, call, fileRoots, deviceId, told: tellProgress } = options
  const source = await sourceOf(path, fileRoots, call.signal ?? NEVER)
  const { kind, name } = source
  const { mode, mtime } = source.files[0] ?? { mode: 0, mtime: 0 }
  const send = async (file: FileToSend): Promise<Result<string>> => {
    const what = `sending ${name} to the host of the device`
    const sent = await sendFile(file, {
      service,
      call,
      deviceId,
      told: done => tellProgress?.({ what, done, total: file.bytes }),
    })
    return sent.ok ? success(writeReference({ kind, digest: file.digest, mode, mtime, name })) : sent
  }
  const [only] = source.files
  if (kind === 'file' && only)
    return send({ path: only.from, bytes: only.size, digest: await digestOfBytes(bytesOf(only, fileRoots)) })
  return inTemporaryFolder('parcel', async folder => {
    const packed = join(folder, 'packed')
    await packFolder(source, fileRoots, packed)
    return send({ path: packed, bytes: (await stat(packed)).size, digest: await digestOf(packed) })
  })
}

/** Fails as the step itself would have, but before anything was done on the device. */
const refusedStep = (error: unknown, { id, type }: Execution['actions'][number]): Failed => {
  if (!(error instanceof StepFailure)) throw error
  const { code, message, hint } = error
  const details = { actionId: id, actionType: type, dispatched: false }
  return failed(
    failure(code, `Step "${id}" (${type}): ${message}. Nothing was sent.`, { details, ...(hint ? { hint } : {}) }),
  )
}

/** The same execution with references in the place of its paths, which are absolute. Nothing is sent for one that names none. */
export const sendFilesOf = async (execution: Execution, options: CarryOptions): Promise<Result<Execution>> => {
  if (!execution.actions.some(namesHostPaths)) return success(execution)
  const references = new Map<string, string>()
  for (const action of execution.actions) {
    for (const path of hostPathsOf(action).reads) {
      if (references.has(path)) continue
      try {
        const sent = await sendOne(path, options)
        if (!sent.ok) return sent
        references.set(path, sent.value)
      } catch (error) {
        return refusedStep(error, action)
      }
    }
  }
  const actions = execution.actions.map((action, position) => {
    if (hostPathsOf(action).writes.length === 0) return withHostPaths(action, path => references.get(path) ?? path)
    const brought = withHostPaths(action, path => writePulled({ position, name: basename(path) }))
    // Only this machine knows what is there.
    return { ...brought, params: { ...brought.params, overwrite: true } } as typeof action
  })
  return success({ ...execution, actions })
}

/** Brings a file that an execution has pulled from its phone from the host of that phone to this machine. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { failure } from '../../contracts/failures/failures.ts'
import { failed, type RequestOptions, type Result, type Service, success } from '../../service/service.ts'

export interface FetchOptions {
  service: Pick<Service, 'parcels.get'>
  call: RequestOptions
  told?: ((done: number, total: number) => void) | undefined
}

export interface Fetched {
  /** Tells a folder, which travels as one file, from a file. */
  kind: 'file' | 'folder'
  bytes: number
}

/** Writes its bytes to a file that is open and empty; answers how many there are. */
export const fetchFile = async (
  brought: { executionId: string; position: number },
  into: FileHandle,
  { service, call, told: onProgress }: FetchOptions,
): Promise<Result<Fetched>> => {
  const hash = createHash('sha256')
  for (let offset = 0; ; ) {
    const got = await service['parcels.get']({ ...brought, position: String(brought.position), offset }, call)
    if (!got.ok) return got
    const { kind, total, digest, data } = got.value
    const bytes = Buffer.from(data, 'base64')
    hash.update(bytes)
    await into.write(bytes, 0, bytes.length, offset)
    offset += bytes.length
    onProgress?.(offset, total)
    if (offset < total && bytes.length > 0) continue
    if (offset === total && hash.digest('hex') === digest) return success({ kind, bytes: total })
    return failed(failure('FILE_REFUSED', 'The file was changed on the host of the phone while it was brought here.'))
  }
}

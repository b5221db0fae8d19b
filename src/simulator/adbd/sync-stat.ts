/** Describes files and folders to `sync:`, in both versions of its structures. */
import {
  AdbSyncEntry2Response,
  AdbSyncEntryResponse,
  AdbSyncLstatResponse,
  AdbSyncResponseId,
  AdbSyncStatErrorCode,
  AdbSyncStatResponse,
} from '@yume-chan/adb'
import { normalPath } from '../files.ts'
import type { PhoneFile, PhoneFiles } from '../phone-parts.ts'

export const u32Bytes = (id: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(id)
  return bytes
}

const FOLDER_TYPE = 0o040000
const FILE_TYPE = 0o100000
const FOLDER_MODE = FOLDER_TYPE | 0o771
const MS_PER_SECOND = 1_000
const OWNER = 2_000
const DEVICE = 1n
const SIZE_MAX = 0xffff_ffff

interface Facts {
  mode: number
  size: number
  mtime: number
}

const factsOf = (file: PhoneFile | undefined): Facts => ({
  mode: file ? FILE_TYPE | file.mode : FOLDER_MODE,
  size: file?.content.byteLength ?? 4_096,
  mtime: Math.floor((file?.mtime ?? 0) / MS_PER_SECOND),
})

const lookUp = (files: PhoneFiles, path: string): Facts | undefined => {
  const file = files.read(path)
  return file || files.list(path) ? factsOf(file) : undefined
}

const NONE: Facts = { mode: 0, size: 0, mtime: 0 }

const stat2 = (facts: Facts | undefined) => {
  const { mode, size, mtime } = facts ?? NONE
  const at = BigInt(mtime)
  return {
    error: facts ? AdbSyncStatErrorCode.SUCCESS : AdbSyncStatErrorCode.ENOENT,
    dev: facts ? DEVICE : 0n,
    ino: facts ? 1n : 0n,
    mode,
    nlink: facts ? 1 : 0,
    uid: facts ? OWNER : 0,
    gid: facts ? OWNER : 0,
    size: BigInt(size),
    atime: at,
    mtime: at,
    ctime: at,
  }
}

const stat1 = ({ mode, size, mtime }: Facts) => ({ mode, size: Math.min(size, SIZE_MAX), mtime })

/** Version 1 has no error: zeros mean that there is no such file. */
export const statAnswer = (files: PhoneFiles, path: string): Buffer =>
  Buffer.concat([u32Bytes(AdbSyncResponseId.Lstat), AdbSyncLstatResponse.serialize(stat1(lookUp(files, path) ?? NONE))])

export const stat2Answer = (files: PhoneFiles, path: string, id: number): Buffer =>
  Buffer.concat([u32Bytes(id), AdbSyncStatResponse.serialize(stat2(lookUp(files, path)))])

const DONE1_BYTES = 16
const DONE2_BYTES = 72

/** A folder that is not there lists as empty, as on a phone. */
export const listAnswer = (files: PhoneFiles, path: string, version: 1 | 2): Buffer => {
  const entries = files.list(normalPath(path)) ?? []
  const rows = entries.flatMap(({ name, file }) =>
    version === 1
      ? [u32Bytes(AdbSyncResponseId.Entry), AdbSyncEntryResponse.serialize({ ...stat1(factsOf(file)), name })]
      : [u32Bytes(AdbSyncResponseId.Entry2), AdbSyncEntry2Response.serialize({ ...stat2(factsOf(file)), name })],
  )
  const end = Buffer.alloc(version === 1 ? DONE1_BYTES : DONE2_BYTES)
  return Buffer.concat([...rows, u32Bytes(AdbSyncResponseId.Done), end])
}

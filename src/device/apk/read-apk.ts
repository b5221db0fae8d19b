/** Reads what an APK says of itself, from a file by a few short reads or from bytes in memory. */
import type { FileHandle } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { type ApkManifest, readManifest } from './binary-manifest.ts'
import { type Directory, NO_BYTES, NotAnApk, PAUSE, type Reading, readDirectory, readEntry } from './zip-entry.ts'

const MANIFEST = 'AndroidManifest.xml'

export type ApkRead = { ok: true; apk: ApkManifest; directory: Directory } | { ok: false; problem: string }

function* reading(size: number): Reading<ApkRead> {
  try {
    const directory = yield* readDirectory(size)
    return { ok: true, apk: yield* readManifest(yield* readEntry(directory, MANIFEST)), directory }
  } catch (error) {
    if (error instanceof NotAnApk) return { ok: false, problem: error.message }
    throw error
  }
}

/** Bytes that are held already. */
export const readApkBytes = (bytes: Uint8Array): ApkRead => {
  const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const steps = reading(held.length)
  let step = steps.next()
  while (!step.done) {
    const { value } = step
    step = steps.next(value === PAUSE ? NO_BYTES : held.subarray(value.at, value.at + value.length))
  }
  return step.value
}

/** Undefined when the file has ended before. */
const readRange = async (file: FileHandle, at: number, length: number): Promise<Buffer | undefined> => {
  const bytes = Buffer.alloc(length)
  for (let held = 0; held < length; ) {
    const { bytesRead } = await file.read(bytes, held, length - held, at + held)
    if (bytesRead === 0) return undefined
    held += bytesRead
  }
  return bytes
}

/** An open file of this size. Rejects when the file cannot be read. */
export const readApkFile = async (file: FileHandle, size: number): Promise<ApkRead> => {
  const steps = reading(size)
  let step = steps.next()
  while (!step.done) {
    const { value } = step
    if (value === PAUSE) await turn()
    const bytes = value === PAUSE ? NO_BYTES : await readRange(file, value.at, value.length)
    if (!bytes) return { ok: false, problem: 'it became shorter while it was read' }
    step = steps.next(bytes)
  }
  return step.value
}

/** The files that came to this host from others of its fleet. Each is kept under the digest of its content. */
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, type FileHandle, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { DIGEST, type ParcelPiece } from '../../contracts/parcel.ts'
import { sourceOf } from '../../device/files/host-files.ts'
import type { Clock } from '../../runtime/clock.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { packFolder, unpackFolder } from './pack.ts'
import type { Pulled, Reference } from './references.ts'

/** A step may be resumed for so long; then its files are brought again. */
const KEPT_MS = 24 * 60 * 60_000
const MS_PER_SECOND = 1_000
const SWEEP_MS = 60 * 60_000
/** Journals and pictures live on the same disk. */
const LEFT_FREE_BYTES = 512 * 1_024 * 1_024

/** Its own folder is small, and nobody waits for less. */
const NEVER = new AbortController().signal

export type Taken = { ok: true; received: number; whole: boolean } | { ok: false; problem: string }

const inFolder = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => [])
  return names.map(name => join(folder, name))
}

const sizeOf = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).size
  } catch {
    return undefined
  }
}

export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The parcel is one file. */
export interface ToSend {
  path: string
  kind: Reference['kind']
  digest: string
}

export interface ParcelStoreOptions {
  folder: string
  clock: Clock
  /** Asked before a file begins to come in. */
  free?: (folder: string) => Promise<number>
}

export const createParcelStore = ({ folder, clock, free = freeBytes }: ParcelStoreOptions) => {
  const broughtFolder = join(folder, 'brought')
  const wholePath = (digest: string) => join(folder, digest)
  const partPath = (digest: string) => join(folder, `${digest}.part`)
  /** Pieces of one file are written one after the other, whoever sends them. */
  const turns = new Map<string, Promise<unknown>>()
  /** A file that is fetched in pieces is hashed once, for as long as its mark is the same. */
  const digests = new Map<string, { mark: string; digest: string }>()
  let sweptAt = Number.NEGATIVE_INFINITY

  const inTurn = <T>(digest: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(digest) ?? Promise.resolve()).then(work, work)
    turns.set(digest, turn)
    const end = () => void (turns.get(digest) === turn && turns.delete(digest))
    turn.then(end, end)
    return turn
  }

  const sweep = async () => {
    if (clock.elapsed() - sweptAt < SWEEP_MS) return
    sweptAt = clock.elapsed()
    for (const path of [...(await inFolder(folder)), ...(await inFolder(broughtFolder))]) {
      if (path === broughtFolder) continue
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (clock.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true })
    }
  }

  const finish = async (digest: string): Promise<Taken> => {
    const part = partPath(digest)
    if ((await digestOf(part)) !== digest) {
      await rm(part, { force: true })
      return { ok: false, problem: 'it is not the file that was named: it was changed while it was sent' }
    }
    await rename(part, wholePath(digest))
    return { ok: true, received: (await sizeOf(wholePath(digest))) ?? 0, whole: true }
  }

  const append = async (file: FileHandle, { offset, total, data }: ParcelPiece): Promise<number> => {
    const { size } = await file.stat()
    if (size !== offset) return size
    const bytes = Buffer.from(data, 'base64')
    if (offset + bytes.length > total) return size
    await file.appendFile(bytes)
    return size + bytes.length
  }

  const put = async (digest: string, piece: ParcelPiece): Promise<Taken> => {
    makeFolder(folder, HOME_MODE)
    await sweep()
    const whole = await sizeOf(wholePath(digest))
    if (whole !== undefined) return { ok: true, received: whole, whole: true }
    const begun = await sizeOf(partPath(digest))
    if (begun === undefined && piece.total > (await free(folder)) - LEFT_FREE_BYTES)
      return { ok: false, problem: `it has ${piece.total} bytes, and the disk of the host has not that much room` }
    const file = await open(partPath(digest), 'a', STATE_FILE_MODE)
    let received: number
    try {
      received = await append(file, piece)
    } finally {
      await file.close()
    }
    if (received < piece.total) return { ok: true, received, whole: false }
    return finish(digest)
  }

  /** Under the name that the caller's file has, which a phone may show, and with its permissions and time. */
  const place = async ({ kind, digest, mode, mtime, name }: Reference): Promise<string | undefined> => {
    const whole = wholePath(digest)
    if ((await sizeOf(whole)) === undefined) return undefined
    const now = clock.now() / MS_PER_SECOND
    await utimes(whole, now, now)
    const around = join(folder, [digest, kind, mode.toString(8), mtime].join('.'))
    const path = join(around, name)
    if ((await sizeOf(path)) !== undefined) return path
    makeFolder(around, HOME_MODE)
    const unfinished = join(around, '.part')
    await rm(unfinished, { recursive: true, force: true })
    if (kind === 'folder') await unpackFolder(whole, unfinished)
    else {
      await copyFile(whole, unfinished, constants.COPYFILE_FICLONE)
      await chmod(unfinished, mode)
      await utimes(unfinished, new Date(mtime), new Date(mtime))
    }
    await rename(unfinished, path)
    return path
  }

  const packed = async (path: string): Promise<string> => {
    const found = await stat(path)
    if (!found.isDirectory()) return path
    const file = `${path}.packed`
    if ((await sizeOf(file)) === undefined) {
      const unfinished = `${file}.part`
      await rm(unfinished, { force: true })
      await packFolder(await sourceOf(path, undefined, NEVER), undefined, unfinished)
      await rename(unfinished, file)
    }
    return file
  }

  return {
    /** Files that executions pull for other hosts are written here. */
    folder,
    broughtFolder,
    /** Writes a piece that begins where the bytes that are there end; answers how many are there in any case. */
    put: (digest: string, piece: ParcelPiece): Promise<Taken> =>
      DIGEST.test(digest)
        ? inTurn(digest, () => put(digest, piece))
        : Promise.resolve({ ok: false, problem: 'its name is not the digest of a file' }),
    /** The path of what was brought here whole, kept for another while; undefined when it is not here. */
    place: (reference: Reference): Promise<string | undefined> => inTurn(reference.digest, () => place(reference)),
    /** The path for what a step pulls, in a folder that is there: the same for a request that repeats another under its key. */
    placeFor({ position, name }: Pulled, request: string): string {
      const around = join(broughtFolder, `${createHash('sha256').update(request).digest('hex')}.${position}`)
      makeFolder(around, HOME_MODE)
      return join(around, name)
    },
    /** The file, or the folder as one file, with its digest; undefined when it is gone. */
    toSend: (path: string): Promise<ToSend | undefined> =>
      inTurn(path, async () => {
        try {
          const file = await packed(path)
          const kind = file === path ? 'file' : 'folder'
          const { mtimeMs, size } = await stat(file)
          const mark = `${mtimeMs} ${size}`
          const known = digests.get(file)
          if (known?.mark === mark) return { path: file, kind, digest: known.digest }
          const digest = await digestOf(file)
          digests.clear()
          digests.set(file, { mark, digest })
          return { path: file, kind, digest }
        } catch {
          return undefined
        }
      }),
  }
}

export type ParcelStore = ReturnType<typeof createParcelStore>

/** The files of flows: a flow or a script that was read is always the same one, so that what was checked is what runs. */
import { createHash } from 'node:crypto'
import { dirname, isAbsolute, resolve } from 'node:path'
import { LIBRARY_BYTES } from './limits.ts'
import type { Problem } from './problem.ts'
import { decodeText, type ReadFlow, readFlow } from './read/read-flow.ts'

export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
}

/** Paths are absolute. What may not be read rejects with a sentence that says why. */
export interface FlowFiles {
  readonly read: (path: string) => Promise<Uint8Array>
  /** `special` is a device, a pipe or a socket; undefined where there is nothing. */
  readonly kindOf: (path: string) => Promise<FolderEntry['kind'] | 'special' | undefined>
  readonly list: (folder: string) => Promise<readonly FolderEntry[]>
  /** SHA-256 of the whole file. */
  readonly digest: (path: string) => Promise<string>
}

export type FoundFile = { readonly ok: true } | { readonly ok: false; readonly message: string }

export type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }

export interface FlowLibrary {
  readonly files: FlowFiles
  readonly flow: (path: string) => Promise<ReadFlow>
  readonly script: (path: string) => Promise<ReadText>
  /** A file that exists and is no folder. */
  readonly find: (path: string) => Promise<FoundFile>
  /** SHA-256 of the bytes that were read as a flow or script, else of the file as it is now. */
  readonly digest: (path: string) => Promise<string>
}

export const notRegular = (path: string): string =>
  `${path} is not a regular file: a device, a pipe or a socket cannot be read as a flow.`

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Sized<T> {
  readonly answer: T
  /** The digest is that of the source. */
  readonly bytes: number
}

/** A file that is not there yet, or has faults, is looked at again; of the others those that were used last are held. */
const remembered = <T extends { readonly ok: boolean }>(
  read: (path: string) => Promise<Sized<T>>,
  bytesMax: number,
): ((path: string) => Promise<T>) => {
  const known = new Map<string, Promise<Sized<T>>>()
  const sizes = new Map<string, number>()
  let held = 0
  const forget = (path: string) => {
    held -= sizes.get(path) ?? 0
    sizes.delete(path)
    known.delete(path)
  }
  return async path => {
    const pending = known.get(path) ?? read(path)
    known.delete(path)
    known.set(path, pending)
    const { answer, bytes } = await pending.catch((error: unknown) => {
      if (known.get(path) === pending) forget(path)
      throw error
    })
    if (known.get(path) !== pending) return answer
    held -= sizes.get(path) ?? 0
    sizes.delete(path)
    if (answer.ok) {
      sizes.set(path, bytes)
      held += bytes
    } else known.delete(path)
    for (const oldest of sizes.keys()) {
      if (held <= bytesMax) break
      forget(oldest)
    }
    return answer
  }
}

export const flowLibrary = (files: FlowFiles, bytesMax: number = LIBRARY_BYTES): FlowLibrary => {
  const digests = new Map<string, string>()
  /** The digests of flows and scripts without faults: they are not read in another form later. */
  const checked = new Map<string, string>()
  const find = async (path: string): Promise<FoundFile> => {
    try {
      const kind = await files.kindOf(path)
      if (kind === 'file') return { ok: true }
      const message =
        kind === 'special' ? notRegular(path) : kind === 'folder' ? `${path} is a folder.` : `There is no file ${path}.`
      return { ok: false, message }
    } catch (error) {
      return { ok: false, message: `${path} cannot be read: ${reasonOf(error)}` }
    }
  }
  const bytes = async (path: string) => {
    const found = await find(path)
    if (!found.ok) return found
    try {
      const read = await files.read(path)
      const digest = createHash('sha256').update(read).digest('hex')
      if ((checked.get(path) ?? digest) !== digest)
        return { ok: false as const, message: `${path} has changed since it was checked. Run the flows again.` }
      digests.set(path, digest)
      return { ok: true as const, bytes: read }
    } catch (error) {
      return { ok: false as const, message: `${path} cannot be read: ${reasonOf(error)}` }
    }
  }
  const unreadable = (file: string, message: string): ReadFlow => {
    const problem: Problem = { file, message }
    return { ok: false, problems: [problem] }
  }
  const parsed = async <T extends { readonly ok: boolean }>(
    path: string,
    parse: (source: Uint8Array) => T,
    refused: (message: string) => T,
  ): Promise<Sized<T>> => {
    const read = await bytes(path)
    if (!read.ok) return { answer: refused(read.message), bytes: 0 }
    const answer = parse(read.bytes)
    const digest = digests.get(path)
    if (answer.ok && digest !== undefined) checked.set(path, digest)
    return { answer, bytes: read.bytes.length }
  }
  return {
    files,
    find,
    digest: async path => digests.get(path) ?? files.digest(path),
    flow: remembered(
      path =>
        parsed(
          path,
          source => readFlow(source, path),
          message => unreadable(path, message),
        ),
      bytesMax,
    ),
    script: remembered(path => parsed<ReadText>(path, decodeText, message => ({ ok: false, message })), bytesMax),
  }
}

/** A name is relative to the file that has it; a flow that was given as text has a directory instead. */
export const resolveName = (name: string, file: string, directory: string): string =>
  resolve(isAbsolute(file) ? dirname(file) : directory, name)

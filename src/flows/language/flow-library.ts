/** The files of flows: each is read once, so that what was checked is what runs. */
import { createHash } from 'node:crypto'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { Problem } from './problem.ts'
import { type ReadFlow, readFlow } from './read/read-flow.ts'
import { decodeText } from './yaml/decode-text.ts'

export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
}

/** Paths are absolute. What may not be read rejects with a sentence that says why. */
export interface FlowFiles {
  readonly read: (path: string) => Promise<Uint8Array>
  /** Undefined where there is nothing. */
  readonly kindOf: (path: string) => Promise<FolderEntry['kind'] | undefined>
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A file that is not there yet, or has faults, is looked at again. */
const remembered = <T extends { readonly ok: boolean }>(
  answer: (path: string) => Promise<T>,
): ((path: string) => Promise<T>) => {
  const known = new Map<string, Promise<T>>()
  return async path => {
    const pending = known.get(path) ?? answer(path)
    known.set(path, pending)
    const found = await pending
    if (!found.ok && known.get(path) === pending) known.delete(path)
    return found
  }
}

export const flowLibrary = (files: FlowFiles): FlowLibrary => {
  const digests = new Map<string, string>()
  const find = async (path: string): Promise<FoundFile> => {
    try {
      const kind = await files.kindOf(path)
      if (kind === 'file') return { ok: true }
      return { ok: false, message: kind === 'folder' ? `${path} is a folder.` : `There is no file ${path}.` }
    } catch (error) {
      return { ok: false, message: `${path} cannot be read: ${reasonOf(error)}` }
    }
  }
  const bytes = async (path: string) => {
    const found = await find(path)
    if (!found.ok) return found
    try {
      const read = await files.read(path)
      digests.set(path, createHash('sha256').update(read).digest('hex'))
      return { ok: true as const, bytes: read }
    } catch (error) {
      return { ok: false as const, message: `${path} cannot be read: ${reasonOf(error)}` }
    }
  }
  const unreadable = (file: string, message: string): ReadFlow => {
    const problem: Problem = { file, message }
    return { ok: false, problems: [problem] }
  }
  return {
    files,
    find,
    digest: async path => digests.get(path) ?? files.digest(path),
    flow: remembered(async path => {
      const read = await bytes(path)
      return read.ok ? readFlow(read.bytes, path) : unreadable(path, read.message)
    }),
    script: remembered(async path => {
      const read = await bytes(path)
      return read.ok ? decodeText(read.bytes) : read
    }),
  }
}

/** A name is relative to the file that has it; a flow that was given as text has a directory instead. */
export const resolveName = (name: string, file: string, directory: string): string =>
  resolve(isAbsolute(file) ? dirname(file) : directory, name)

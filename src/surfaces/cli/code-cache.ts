/**
 * Reads compiled code of the folder `<home>/cache`, and takes it only for the very source, in the very build of Node, that
 * made it. V8 itself compares too little: other builds of one of its versions crash on it, and so do damaged bytes.
 *
 * A file holds the code twice, then the source and the build, so that all is compared by native code: a sum over it, which
 * V8 interprets in a process that has only just started, costs as much as to load the code.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { CODE_CACHE_BYTES_MAX } from '../../contracts/limits/limits.ts'
import { isOnlyOwnersToWrite } from '../../runtime/files/owner-only.ts'
import { homeOf } from '../../runtime/home.ts'

/** Undefined for a blank or relative one, and in a home that every command refuses. */
export const codeFolder = (env: NodeJS.ProcessEnv): string | undefined => {
  const folder = env.SVC_CACHE_DIR ?? join(env.SVC_HOME ?? homeOf(env), 'cache')
  return isAbsolute(folder) ? folder : undefined
}

/**
 * Builds of one version differ: those of distributions and those for other C libraries have programs of other sizes. V8
 * takes no code that was made under other flags.
 */
export const nodeBuild = (): Buffer => {
  const { version, platform, arch, execPath, execArgv, env } = process
  const { size, mtimeMs } = statSync(execPath)
  return Buffer.from(JSON.stringify([version, platform, arch, size, mtimeMs, execArgv, env.NODE_OPTIONS]))
}

/** Gives what is written to disk, in its order. */
export const sealCode = (source: Uint8Array, code: Uint8Array, build: Uint8Array): Uint8Array[] => [
  code,
  code,
  source,
  build,
]

/** Undefined where it is not to be used. */
export const openCode = (source: Uint8Array, sealed: Buffer, build: Uint8Array): Buffer | undefined => {
  const codeEnd = (sealed.length - source.length - build.length) / 2
  if (codeEnd <= 0 || !Number.isInteger(codeEnd)) return undefined
  const code = sealed.subarray(0, codeEnd)
  const sourceAt = 2 * codeEnd
  const buildAt = sourceAt + source.length
  const isWhole =
    code.equals(sealed.subarray(codeEnd, sourceAt)) &&
    sealed.subarray(sourceAt, buildAt).equals(source) &&
    sealed.subarray(buildAt).equals(build)
  return isWhole ? code : undefined
}

const HASH_PRIME = 0x01000193
const HASH_START = 0x811c9dc5
const HEX = 16

/** FNV-1a: files of other builds have other names. Equal names do no harm, for what is in a file is compared. */
const hashOf = (bytes: Uint8Array): string => {
  let hash = HASH_START
  for (const byte of bytes) hash = Math.imul(hash ^ byte, HASH_PRIME) >>> 0
  return hash.toString(HEX)
}

export const codePath = (folder: string, piece: string, source: Uint8Array, build: Uint8Array): string =>
  join(folder, `${basename(piece, '.cjs')}-${source.length}-${hashOf(build)}.code`)

/** True for a folder that only this user can write. */
export const isTrustedFolder = (folder: string): boolean => {
  const facts = lstatSync(folder, { throwIfNoEntry: false })
  return facts?.isDirectory() === true && isOnlyOwnersToWrite(facts)
}

export interface KeptCode {
  code: Buffer
  /** When it was written or found complete. */
  lookedAtMs: number
}

const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0)

/** Undefined for what is not there, is not to be trusted, or is not for this source and Node. */
export const readCode = (path: string, source: Uint8Array, build: Uint8Array): KeptCode | undefined => {
  try {
    const opened = openSync(path, OPEN)
    try {
      const facts = fstatSync(opened)
      if (!facts.isFile() || facts.size > CODE_CACHE_BYTES_MAX || !isOnlyOwnersToWrite(facts)) return undefined
      const code = openCode(source, readFileSync(opened), build)
      return code && { code, lookedAtMs: facts.mtimeMs }
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined
  }
}

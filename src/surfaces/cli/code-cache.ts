/**
 * Reads compiled code of the folder `<home>/cache`, and takes it only for the very source, in the very build of Node, that
 * made it. V8 itself compares too little: other builds of one of its versions crash on it, and so do damaged bytes.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
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
export const nodeBuild = (): string => {
  const { version, platform, arch, execPath, execArgv, env } = process
  const { size, mtimeMs } = statSync(execPath)
  return JSON.stringify([version, platform, arch, size, mtimeMs, execArgv, env.NODE_OPTIONS])
}

/** Loaded late: `svc --version` needs none. V8 would interpret a sum of its own, for as long as it takes to load the code. */
const sumOf = (bytes: Uint8Array): number => process.getBuiltinModule('node:zlib').crc32(bytes)

/** Names the source and the build of Node: code that was made of others is not taken. */
export const codeOrigin = (source: Uint8Array, build: string): Buffer =>
  Buffer.from(`${source.length} ${sumOf(source)} ${build}`)

const SUM_BYTES = 4

/** Gives what is written to disk, in its order. */
export const sealCode = (code: Uint8Array, origin: Uint8Array): Uint8Array[] => {
  const sum = Buffer.alloc(SUM_BYTES)
  sum.writeUInt32LE(sumOf(code))
  return [code, sum, origin]
}

/** Undefined where it is not to be used. */
export const openCode = (sealed: Buffer, origin: Uint8Array): Buffer | undefined => {
  const originAt = sealed.length - origin.length
  const codeEnd = originAt - SUM_BYTES
  if (codeEnd <= 0 || !sealed.subarray(originAt).equals(origin)) return undefined
  const code = sealed.subarray(0, codeEnd)
  return sumOf(code) === sealed.readUInt32LE(codeEnd) ? code : undefined
}

const HEX = 16

/** Another origin has another file. Equal names do no harm, for the origin in the file is compared. */
export const codePath = (folder: string, piece: string, origin: Uint8Array): string =>
  join(folder, `${basename(piece, '.cjs')}-${sumOf(origin).toString(HEX)}.code`)

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

/** Undefined for what is not there, is not to be trusted, or is of another origin. */
export const readCode = (path: string, origin: Uint8Array): KeptCode | undefined => {
  try {
    const opened = openSync(path, OPEN)
    try {
      const facts = fstatSync(opened)
      if (!facts.isFile() || !isOnlyOwnersToWrite(facts)) return undefined
      const code = openCode(readFileSync(opened), origin)
      return code && { code, lookedAtMs: facts.mtimeMs }
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined
  }
}

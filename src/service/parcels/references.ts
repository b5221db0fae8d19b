/** A file of another machine, as the parameter of an action names it once the file is at the host of the phone. */
import { DIGEST } from '../../contracts/parcel.ts'

export interface Reference {
  /** A folder travels as one file. */
  kind: 'file' | 'folder'
  digest: string
  /** The permissions of a file, and when it was last changed, in epoch ms; those in a folder travel with them. */
  mode: number
  mtime: number
  /** The last part of the path that the caller named: a phone may show it. */
  name: string
}

const PREFIX = 'parcel:'
const NAME_CHARS_MAX = 255
const OCTAL = 8

export const writeReference = ({ kind, digest, mode, mtime, name }: Reference): string =>
  `${PREFIX}${kind}:${digest}:${mode.toString(OCTAL)}:${Math.trunc(mtime)}:${encodeURIComponent(name)}`

/** A backslash is a letter of a name but on Windows. */
const SEPARATORS = process.platform === 'win32' ? /[/\\\0]/ : /[/\0]/

export const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && name.length <= NAME_CHARS_MAX && !SEPARATORS.test(name)

const nameIn = (encoded: string): string | undefined => {
  try {
    const name = decodeURIComponent(encoded)
    return isFileName(name) ? name : undefined
  } catch {
    return undefined
  }
}

const MODE = /^[0-7]{1,3}$/
const TIME = /^-?\d{1,16}$/

/** Undefined for any other path. */
export const readReference = (path: string): Reference | undefined => {
  const [prefix, kind, digest = '', mode = '', mtime = '', encoded = '', ...rest] = path.split(':')
  const name = nameIn(encoded)
  if (`${prefix}:` !== PREFIX || (kind !== 'file' && kind !== 'folder') || name === undefined) return undefined
  if (!DIGEST.test(digest) || !MODE.test(mode) || !TIME.test(mtime) || rest.length > 0) return undefined
  return { kind, digest, mode: Number.parseInt(mode, OCTAL), mtime: Number(mtime), name }
}

/** A file that a step pulls: it is put at the host of the phone, and fetched from there. */
export interface Pulled {
  /** The place of the step among the steps of its execution. */
  position: number
  name: string
}

export const writePulled = ({ position, name }: Pulled): string =>
  `${PREFIX}pulled:${position}:${encodeURIComponent(name)}`

const POSITION = /^\d{1,4}$/

export const readPulled = (path: string): Pulled | undefined => {
  const [prefix, kind, position = '', encoded = '', ...rest] = path.split(':')
  const name = nameIn(encoded)
  if (`${prefix}:` !== PREFIX || kind !== 'pulled' || name === undefined) return undefined
  return POSITION.test(position) && rest.length === 0 ? { position: Number(position), name } : undefined
}

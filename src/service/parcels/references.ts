/** A file of another machine, as the parameter of an action names it once the file is at the host of the phone. */
import { DIGEST } from '../../contracts/parcel.ts'

export interface Reference {
  /** A folder travels as one file. */
  kind: 'file' | 'folder'
  digest: string
  /** The last part of the path that the caller named: a phone may show it. */
  name: string
}

const PREFIX = 'parcel:'

export const writeReference = ({ kind, digest, name }: Reference): string =>
  `${PREFIX}${kind}:${digest}:${encodeURIComponent(name)}`

const nameIn = (encoded: string): string | undefined => {
  try {
    const name = decodeURIComponent(encoded)
    return /^(?!\.{1,2}$)[^/\\\0]{1,255}$/.test(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** Undefined for any other path. */
export const readReference = (path: string): Reference | undefined => {
  const [prefix, kind, digest = '', encoded = '', ...rest] = path.split(':')
  const name = nameIn(encoded)
  if (`${prefix}:` !== PREFIX || (kind !== 'file' && kind !== 'folder') || name === undefined) return undefined
  return DIGEST.test(digest) && rest.length === 0 ? { kind, digest, name } : undefined
}

/** A file that a step pulls: it is put at the host of the phone, and fetched from there. */
export interface Pulled {
  /** Of the step. */
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

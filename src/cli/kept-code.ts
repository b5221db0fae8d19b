/**
 * Keeps compiled code beside its source, and takes it back only for that very source, as it was written, in the very build
 * of Node that made it. V8 itself compares too little: other builds of one of its versions crash on it, and so do damaged bytes.
 */
import { statSync } from 'node:fs'

const SEAL_BYTES = 4
const WORD_BYTES = 4
const PRIME = 0x01000193

const mixed = (sum: number, value: number): number => Math.imul(sum ^ value, PRIME)

const sumOf = (from: number, bytes: Uint8Array): number => {
  const words = bytes.length >> 2
  const aligned = bytes.byteOffset % WORD_BYTES === 0 ? bytes : Uint8Array.from(bytes)
  const view = new Int32Array(aligned.buffer, aligned.byteOffset, words)
  let sum = mixed(from, bytes.length)
  for (let index = 0; index < words; index++) sum = mixed(sum, view[index] as number)
  for (let index = words * WORD_BYTES; index < bytes.length; index++) sum = mixed(sum, bytes[index] as number)
  return sum
}

/** Builds of one version differ: those of distributions and those for other C libraries have programs of other sizes. */
const nodeBuild = (): string => {
  const { version, platform, arch, execPath } = process
  return `${version} ${platform} ${arch} ${statSync(execPath).size}`
}

const seal = (source: Uint8Array, code: Uint8Array): number =>
  sumOf(sumOf(sumOf(0, Buffer.from(nodeBuild())), source), code)

/** Gives the bytes that are written to disk: the code, and its seal behind it. */
export const sealCode = (source: Uint8Array, code: Uint8Array): Buffer => {
  const end = Buffer.alloc(SEAL_BYTES)
  end.writeInt32LE(seal(source, code))
  return Buffer.concat([code, end])
}

/** Undefined where it is not to be used. */
export const openCode = (source: Uint8Array, sealed: Buffer): Buffer | undefined => {
  const end = sealed.length - SEAL_BYTES
  if (end <= 0) return undefined
  const code = sealed.subarray(0, end)
  return seal(source, code) === sealed.readInt32LE(end) ? code : undefined
}

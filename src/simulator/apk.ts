/** An APK as the package manager of a simulated phone reads it: its manifest, and who has signed it. */
import { createHash } from 'node:crypto'
import type { ApkManifest } from '../device/apk/binary-manifest.ts'
import { readApkBytes } from '../device/apk/read-apk.ts'

const MAGIC = Buffer.from('APK Sig Block 42')
const SIZE_BYTES = 8
const FOOTER_BYTES = SIZE_BYTES + MAGIC.length
const PAIR_HEADER_BYTES = SIZE_BYTES + 4
/** Signature schemes 2 and 3. */
const SCHEMES = [0x7109871a, 0xf05368c0]
const JAR_SIGNATURE = /META-INF\/[\w-]+\.(?:RSA|DSA|EC)/

/** A part that begins with its size in four bytes. Throws RangeError on damage. */
const sizedAt = (bytes: Buffer, at: number): Buffer => {
  const end = at + 4 + bytes.readUInt32LE(at)
  if (end > bytes.length) throw new RangeError('a part is longer than what it lies in')
  return bytes.subarray(at + 4, end)
}

/** signers > signer > signed data > digests, then certificates > the first one. */
const certificateIn = (scheme: Buffer): Buffer => {
  const signedData = sizedAt(sizedAt(sizedAt(scheme, 0), 0), 0)
  const digests = sizedAt(signedData, 0)
  return sizedAt(sizedAt(signedData, 4 + digests.length), 0)
}

/** The signing block lies right before the directory of the archive. */
const signedBlock = (apk: Buffer, directoryAt: number): Buffer | undefined => {
  const footer = directoryAt - FOOTER_BYTES
  if (footer < SIZE_BYTES || !apk.subarray(footer + SIZE_BYTES, directoryAt).equals(MAGIC)) return undefined
  const size = Number(apk.readBigUInt64LE(footer))
  const begin = directoryAt - size
  return begin < SIZE_BYTES || begin > footer ? undefined : apk.subarray(begin, footer)
}

const schemeCertificate = (apk: Buffer, directoryAt: number): Buffer | undefined => {
  const block = signedBlock(apk, directoryAt)
  for (let at = 0; block && at + PAIR_HEADER_BYTES <= block.length; ) {
    const size = Number(block.readBigUInt64LE(at))
    if (SCHEMES.includes(block.readUInt32LE(at + SIZE_BYTES))) {
      return certificateIn(block.subarray(at + PAIR_HEADER_BYTES, at + SIZE_BYTES + size))
    }
    at += SIZE_BYTES + size
  }
  return undefined
}

/** The old scheme is told by its file alone: all who sign so count as one. */
const signerOf = (apk: Buffer, { at, bytes }: { at: number; bytes: Buffer }): string | undefined => {
  try {
    const certificate = schemeCertificate(apk, at)
    if (certificate) return createHash('sha256').update(certificate).digest('hex')
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return JAR_SIGNATURE.test(bytes.toString('latin1')) ? 'jar' : undefined
}

export interface Apk extends ApkManifest {
  /** Undefined for one that nobody has signed. */
  signer: string | undefined
}

/** Undefined for what is not an APK. */
export const readApk = (bytes: Uint8Array): Apk | undefined => {
  const read = readApkBytes(bytes)
  if (!read.ok) return undefined
  const apk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { ...read.apk, signer: signerOf(apk, read.directory) }
}

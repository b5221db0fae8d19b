/** A row's JSON with a checksum in front: what is read is what was written, or it is said to be corrupt. */
import { crc32 } from 'node:zlib'
import { JournalError } from './fault.ts'

const CHECKSUM_BYTES = 4

export const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch (error) {
    throw new JournalError('failed', `The record cannot be written as JSON: ${String(error)}`, { cause: error })
  }
}

const texts = new WeakMap<object, string>()

/** The same, made once for as long as the value lives: for what is large, recorded and answered, and never changed. */
export const textOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return jsonOf(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const json = jsonOf(value)
  texts.set(value, json)
  return json
}

export const seal = (value: unknown): Buffer => sealText(jsonOf(value))

/** Seals a value that is JSON already. */
export const sealText = (json: string): Buffer => {
  const sealed = Buffer.allocUnsafe(CHECKSUM_BYTES + Buffer.byteLength(json))
  sealed.write(json, CHECKSUM_BYTES)
  sealed.writeUInt32BE(crc32(sealed.subarray(CHECKSUM_BYTES)))
  return sealed
}

/** The caller names the type that was sealed: a matching checksum says that these are the very bytes. */
export const unseal = <T>(sealed: unknown): T => {
  if (!Buffer.isBuffer(sealed) || sealed.length < CHECKSUM_BYTES) {
    throw new JournalError('corrupt', 'A row of the journal has lost its content')
  }
  const json = sealed.subarray(CHECKSUM_BYTES)
  if (crc32(json) !== sealed.readUInt32BE()) {
    throw new JournalError('corrupt', 'A row of the journal does not match its checksum')
  }
  return JSON.parse(json.toString()) as T
}

/** Files on their way between the hosts of a fleet: named by their content, in pieces that fit one message. */
import * as v from 'valibot'
import { closedObject, openObject } from './json/objects.ts'
import { integer } from './json/scalars.ts'

/** In base64 and with the fields around it, a piece stays below what the body of a request may have. */
export const PIECE_BYTES = 72 * 1_024
/** An answer may be longer than a request. */
export const ANSWERED_PIECE_BYTES = 4 * 1_024 * 1_024
/** The longest file that a phone's own protocol can name. */
export const PARCEL_BYTES_MAX = 4 * 1_024 * 1_024 * 1_024

/** The digest of its content. */
export const DIGEST = /^[0-9a-f]{64}$/

const size = integer({ min: 0, max: PARCEL_BYTES_MAX })
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export const ParcelPiece = closedObject({
  /** Names the host that a client of the fleet means, as with the execution that follows. */
  deviceId: v.exactOptional(v.string()),
  total: size,
  offset: size,
  data: v.pipe(v.string(), v.maxLength(PIECE_BYTES * 2), v.regex(BASE64, 'must be base64')),
})
export type ParcelPiece = v.InferOutput<typeof ParcelPiece>

/** `received` bytes are there, from the beginning on: the next piece begins at them. */
export const ParcelReceived = openObject({ ok: v.literal(true), received: size, whole: v.boolean() })
export type ParcelReceived = v.InferOutput<typeof ParcelReceived>

/** `digest` is that of all its bytes. */
export const BroughtPiece = openObject({
  ok: v.literal(true),
  /** A folder travels as one file. */
  kind: v.picklist(['file', 'folder']),
  total: size,
  digest: v.pipe(v.string(), v.regex(DIGEST)),
  data: v.string(),
})
export type BroughtPiece = v.InferOutput<typeof BroughtPiece>

/** Finding one complete PNG in what `screencap -p` printed. */

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Devices with several displays print a warning in front of the picture, on the same stream. */
const SEARCHED_BYTES = 4_096
/** Length, type and checksum around the data of a chunk. */
const CHUNK_FRAME_BYTES = 12

export type FoundPng = { ok: true; png: Uint8Array } | { ok: false; problem: string }

const startIn = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SIGNATURE)

/** From the signature to the end of the IEND chunk; what is around them is dropped. */
export const findPng = (bytes: Uint8Array): FoundPng => {
  if (bytes.byteLength === 0) return { ok: false, problem: 'the device sent nothing' }
  const start = startIn(bytes.subarray(0, SEARCHED_BYTES))
  if (start < 0) {
    const said = Buffer.from(bytes.subarray(0, 200))
      .toString('latin1')
      .replace(/[^\x21-\x7e]+/g, ' ')
      .trim()
    return { ok: false, problem: `what the device sent is no PNG: ${said}` }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = start + SIGNATURE.length
  while (at + CHUNK_FRAME_BYTES <= bytes.byteLength) {
    const end = at + CHUNK_FRAME_BYTES + view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (end > bytes.byteLength) break
    if (type === 'IEND') return { ok: true, png: bytes.subarray(start, end) }
    at = end
  }
  return { ok: false, problem: `the PNG is cut off after ${bytes.byteLength} bytes` }
}

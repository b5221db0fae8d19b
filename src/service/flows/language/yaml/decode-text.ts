/** The text of a flow or a script: UTF-8 of at most 1 MiB, with or without a byte order mark. */
import { FLOW_FILE_BYTES } from '../limits.ts'

type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }

const BYTE_ORDER_MARK = '\uFEFF'

const isUtf16 = (bytes: Uint8Array) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

export const decodeText = (source: string | Uint8Array): Decoded => {
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength
  if (size > FLOW_FILE_BYTES) {
    return { ok: false, message: `The file has more than ${FLOW_FILE_BYTES} bytes.` }
  }
  if (typeof source === 'string') {
    return { ok: true, text: source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source }
  }
  if (isUtf16(source)) return { ok: false, message: 'The file is UTF-16; save it as UTF-8.' }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(source) }
  } catch {
    return { ok: false, message: 'The file is not UTF-8 text; save it as UTF-8.' }
  }
}

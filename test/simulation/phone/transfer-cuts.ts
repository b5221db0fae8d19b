/** Ends transfers in the middle: after a byte of the content of a request, the link is cut, its process dies, or nothing comes any more. */
import type { Ask } from '../plan/plan.ts'

export type CutWay = 'link' | 'process' | 'silence'

export interface TransferCut {
  /** After so many bytes that belong to it, on their way to either side. */
  afterBytes: number
  way: CutWay
}

export interface PassedBytes {
  /** All of them, unless the cut is among them. */
  bytes: Uint8Array
  cut?: CutWay
}

export type TransferCuts = (bytes: Uint8Array) => PassedBytes

/** Smaller ones hold no content. */
const CONTENT_BYTES_MIN = 1_000

/** Each happens once. Undefined where the requests have none. */
export const createTransferCuts = (asks: readonly Ask[]): TransferCuts | undefined => {
  const waiting = asks.flatMap(({ command, hostStep }) =>
    hostStep?.cut ? [{ ...hostStep.cut, words: `\n${command}\n${command}\n`, left: hostStep.cut.afterBytes }] : [],
  )
  if (waiting.length === 0) return undefined
  return bytes => {
    if (bytes.length < CONTENT_BYTES_MIN || waiting.length === 0) return { bytes }
    const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const at = waiting.findIndex(({ words }) => held.includes(words))
    const found = waiting[at]
    if (!found) return { bytes }
    if (found.left >= bytes.length) {
      found.left -= bytes.length
      return { bytes }
    }
    waiting.splice(at, 1)
    return { bytes: bytes.subarray(0, found.left), cut: found.way }
  }
}

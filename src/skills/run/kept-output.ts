/** Keeps the beginning and the end of a stream, with a note between them when more was dropped. */
import { StringDecoder } from 'node:string_decoder'
import { CAPTURE_BYTES } from '../../contracts/limits.ts'

export interface KeptOutput {
  push(text: string): void
  text(): string
}

/** The end is where a frame and most mistakes are. */
const END_SHARE = 0.25
const FIRST_BYTES = 4_096

interface Block {
  /** Returns the bytes that did not fit any more. */
  push(bytes: Buffer): Buffer
  bytes(): Buffer
}

const EMPTY = Buffer.alloc(0)

/** Grows by doubling: many small writes cost no more than few large ones. */
const createBlock = (most: number): Block => {
  let held: Buffer = EMPTY
  let length = 0
  return {
    push(bytes) {
      const fits = bytes.subarray(0, most - length)
      if (length + fits.length > held.length) {
        const size = Math.min(most, Math.max(FIRST_BYTES, 2 * held.length, length + fits.length))
        const larger = Buffer.allocUnsafe(size)
        held.copy(larger, 0, 0, length)
        held = larger
      }
      fits.copy(held, length)
      length += fits.length
      return bytes.subarray(fits.length)
    },
    bytes: () => held.subarray(0, length),
  }
}

const isInsideCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The index at which the first whole character at or after `at` begins. */
const cutAfter = (bytes: Buffer, at: number): number => {
  let cut = at
  while (isInsideCharacter(bytes[cut])) cut += 1
  return cut
}

export const createKeptOutput = (most = CAPTURE_BYTES): KeptOutput => {
  const endBytes = Math.floor(most * END_SHARE)
  const beginning = createBlock(most - endBytes)
  let previous: Buffer = EMPTY
  let current = createBlock(endBytes)
  let dropped = 0

  const pushEnd = (bytes: Buffer) => {
    let rest = current.push(bytes)
    while (rest.length > 0) {
      dropped += previous.length
      previous = current.bytes()
      current = createBlock(endBytes)
      rest = current.push(rest)
    }
  }

  return {
    push(text) {
      const rest = beginning.push(Buffer.from(text))
      if (rest.length > 0) pushEnd(rest)
    },
    text() {
      const [first, recent] = [beginning.bytes(), Buffer.concat([previous, current.bytes()])]
      if (dropped === 0 && recent.length <= endBytes) return Buffer.concat([first, recent]).toString()
      // A decoder gives out whole characters only: one that the limit cut in two is dropped.
      const begun = new StringDecoder('utf8').write(first)
      const from = cutAfter(recent, Math.max(0, recent.length - endBytes))
      const lost = dropped + from + (first.length - Buffer.byteLength(begun))
      return `${begun}\n[svc: ${lost} bytes dropped]\n${recent.toString('utf8', from)}`
    },
  }
}

/** Shortens output for the journal, where a run leaves a sample of it. */
export const excerpt = (text: string, chars: number): string => {
  if (text.length <= chars) return text
  const half = Math.floor(chars / 2)
  const dropped = text.length - 2 * half
  return `${text.slice(0, half)}\n[svc: ${dropped} characters dropped]\n${text.slice(-half)}`
}

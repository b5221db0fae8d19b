/** Brings a segment from the phone to this host: streamed, counted and hashed; the file appears when it is whole. */

import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { PULL_STALL_MS, RECORDING_ASK_MS } from '../../contracts/limits/recording-limits.ts'
import { type CallOptions, type Link, LinkError } from '../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../device/link/link-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { commandLine } from '../../runtime/text/quote.ts'

const HEADER_BYTES = 16
const SMALL_HEADER_BYTES = 8
/** Far more than the boxes of any such file. */
const BOXES_MAX = 1_000
/** The size stands in the eight bytes after the type. */
const LARGE = 1

const nextBox = async (file: FileHandle, at: number): Promise<{ type: string; size: number } | undefined> => {
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, at)
  if (bytesRead < SMALL_HEADER_BYTES) return undefined
  const small = header.readUInt32BE(0)
  const size = small === LARGE && bytesRead === HEADER_BYTES ? Number(header.readBigUInt64BE(8)) : small
  return { type: header.toString('latin1', 4, 8), size }
}

const isPlayable = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const { size: bytes } = await file.stat()
    for (let at = 0, boxes = 0; boxes < BOXES_MAX; boxes += 1) {
      const box = await nextBox(file, at)
      if (!box || box.size < SMALL_HEADER_BYTES || at + box.size > bytes) return false
      if (box.type === 'moov') return true
      at += box.size
    }
    return false
  } finally {
    await file.close()
  }
}

export interface FetchedSegment {
  bytes: number
  sha256: string
  isPlayable: boolean
}

interface FetchOptions {
  link: Link
  /** On the phone. */
  from: string
  folder: string
  name: string
  /** The port that fetches: one that is given up clears only its own draft. */
  by: 'record' | 'finish'
  clock: Clock
  signal: AbortSignal
}

const sizeOnPhone = async ({ link, from }: FetchOptions, call: CallOptions): Promise<number> => {
  const { stdout } = await link.shell(commandLine('stat', '-c', '%s', from), {
    ...call,
    maxBytes: OUTPUT_BYTES_MAX.word,
  })
  const size = Number(stdout.trim() || 'none')
  if (!Number.isSafeInteger(size)) throw new LinkError('LINK_SOCKET_REFUSED', `the device has no file ${from}`)
  return size
}

/** A link that is open and brings nothing would keep the reader for ever. */
const receive = async (options: FetchOptions, file: FileHandle, hash: Hash): Promise<number> => {
  const { link, from, clock, signal } = options
  const stream = await link.stream(commandLine('cat', from), { deadline: clock.now() + RECORDING_ASK_MS, signal })
  const chunks = stream.chunks[Symbol.asyncIterator]()
  const end = () => stream.close()
  signal.addEventListener('abort', end, { once: true })
  let bytes = 0
  try {
    for (;;) {
      let isStalled = false
      let stall = (_: undefined) => {}
      const stalled = new Promise<undefined>(resolve => {
        stall = resolve
      })
      const timer = clock.at(clock.now() + PULL_STALL_MS, () => {
        isStalled = true
        stall(undefined)
      })
      const next = await Promise.race([chunks.next(), stalled]).finally(() => timer.cancel())
      if (signal.aborted) throw new LinkError('LINK_CANCELLED', `fetching ${from} was given up`)
      if (isStalled || !next) throw new LinkError('DEVICE_LINK_LOST', `the device sent nothing for ${PULL_STALL_MS} ms`)
      if (next.done) return bytes
      hash.update(next.value)
      await file.write(next.value)
      bytes += next.value.length
    }
  } finally {
    signal.removeEventListener('abort', end)
    stream.close()
  }
}

/** Rejects with LinkError, or with what the file system says; then there is no file of that name. */
export const fetchSegment = async (options: FetchOptions): Promise<FetchedSegment> => {
  const { clock, signal, folder, name, from, by } = options
  const expected = await sizeOnPhone(options, { deadline: clock.now() + RECORDING_ASK_MS, signal })
  const path = join(folder, name)
  const draft = `${path}.${by}.part`
  const hash = createHash('sha256')
  const file = await open(draft, 'w', STATE_FILE_MODE)
  try {
    const bytes = await receive(options, file, hash).finally(() => file.close())
    if (bytes !== expected) throw new LinkError('DEVICE_LINK_LOST', `${from} has ${expected} bytes, and ${bytes} came`)
    await rename(draft, path)
    return { bytes, sha256: hash.digest('hex'), isPlayable: await isPlayable(path) }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

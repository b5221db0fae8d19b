/** Tells an MP4 file that was finished from one whose recorder was killed: only the first has an index. */
import { type FileHandle, open } from 'node:fs/promises'

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

export const isPlayable = async (path: string): Promise<boolean> => {
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

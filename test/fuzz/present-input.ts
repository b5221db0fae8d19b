/** The input that is read at present, in a file: a parent sees there which one a reader hangs on, or ended its process with. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

const COUNT_BYTES = 8
const LENGTH_BYTES = 4
const HEAD_BYTES = COUNT_BYTES + LENGTH_BYTES

export const writePresent = (path: string) => {
  const file = openSync(path, 'w')
  let count = 0n
  return {
    begin(input: Buffer): void {
      count += 1n
      const head = Buffer.alloc(HEAD_BYTES)
      head.writeBigUInt64LE(count)
      head.writeUInt32LE(input.length, COUNT_BYTES)
      writeSync(file, Buffer.concat([head, input]), 0, HEAD_BYTES + input.length, 0)
    },
    close: () => closeSync(file),
  }
}

export interface Present {
  count: bigint
  input: Buffer
}

export const readPresent = (path: string): Present => {
  const bytes = readFileSync(path)
  if (bytes.length < HEAD_BYTES) return { count: 0n, input: Buffer.alloc(0) }
  return {
    count: bytes.readBigUInt64LE(),
    input: bytes.subarray(HEAD_BYTES, HEAD_BYTES + bytes.readUInt32LE(COUNT_BYTES)),
  }
}

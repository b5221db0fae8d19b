/** The packets of `shell,v2`: id, length, data. Data is passed on as it comes, so no length has to be believed. */

const STDIN = 0
const STDOUT = 1
const STDERR = 2
const EXIT = 3
const CLOSE_STDIN = 4
const HEADER_BYTES = 5
/** adb itself puts at most this much into one packet. */
const STDIN_BYTES_MAX = 64 * 1_024

export interface ShellOutput {
  stdout(bytes: Uint8Array): void
  stderr(bytes: Uint8Array): void
  exit(code: number): void
}

/**
 * Own code and not the package's process: three web streams per command made a call cost three times as much
 * (1.1 against 0.3 ms of CPU).
 */
export const shellReader = (output: ShellOutput): ((chunk: Uint8Array) => void) => {
  const header = Buffer.alloc(HEADER_BYTES)
  let headerBytes = 0
  let left = 0
  const take = (bytes: Uint8Array) => {
    if (header[0] === STDOUT) output.stdout(bytes)
    else if (header[0] === STDERR) output.stderr(bytes)
    else if (header[0] === EXIT && bytes[0] !== undefined) output.exit(bytes[0])
  }
  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (headerBytes < HEADER_BYTES) {
        header[headerBytes++] = chunk[at++] ?? 0
        if (headerBytes === HEADER_BYTES) left = header.readUInt32LE(1)
      } else {
        const end = Math.min(chunk.length, at + left)
        take(chunk.subarray(at, end))
        left -= end - at
        at = end
      }
      if (headerBytes === HEADER_BYTES && left === 0) headerBytes = 0
    }
  }
}

const packet = (id: number, data: Uint8Array): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = id
  header.writeUInt32LE(data.length, 1)
  return Buffer.concat([header, data])
}

/** Everything the command is to read, and the end of it. */
export function* stdinPackets(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += STDIN_BYTES_MAX) {
    const last = at + STDIN_BYTES_MAX >= content.length
    const data = packet(STDIN, content.subarray(at, at + STDIN_BYTES_MAX))
    yield last ? Buffer.concat([data, packet(CLOSE_STDIN, new Uint8Array())]) : data
  }
  if (content.length === 0) yield packet(CLOSE_STDIN, new Uint8Array())
}

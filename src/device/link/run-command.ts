/** A command of the device's shell, run to its end: its exit code and all that it printed. */
import { deferred, onAbort } from './bounded.ts'
import { chunksOf, growingBuffer } from './buffers.ts'
import { type Content, LinkError, type ShellOptions } from './link.ts'
import type { Service, Transport } from './transport.ts'

const STDIN = 0
const STDOUT = 1
const STDERR = 2
const EXIT = 3
const CLOSE_STDIN = 4
const HEADER_BYTES = 5
/** adb itself puts at most this much into one packet. */
const STDIN_BYTES_MAX = 64 * 1_024
/** About so much leaves in one write, in no more pieces than that: a source may yield single bytes. */
const WRITE_BYTES = 16 * STDIN_BYTES_MAX
const PIECES_PER_WRITE = 1_024

interface ShellOutput {
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

const packetHeader = (id: number, bytes: number): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = id
  header.writeUInt32LE(bytes, 1)
  return header
}

/** Everything the command is to read, some packets in each write. The end of it travels with the last: see `syncWrites`. */
export async function* stdinPackets(content: Content): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(content))
    for (let at = 0; at < chunk.length; at += STDIN_BYTES_MAX) {
      if (bytes >= WRITE_BYTES || pending.length >= PIECES_PER_WRITE) {
        yield Buffer.concat(pending)
        pending = []
        bytes = 0
      }
      const data = chunk.subarray(at, at + STDIN_BYTES_MAX)
      pending.push(packetHeader(STDIN, data.length), data)
      bytes += data.length
    }
  yield Buffer.concat([...pending, packetHeader(CLOSE_STDIN, 0)])
}

interface CommandOutput {
  exitCode: number
  stdout: Buffer
  stderr: Buffer
}

const PREFIX = 'shell,v2,raw:'

/** Opens a service after the one check that it will arrive as it was written. */
export const openService = (transport: Transport, service: string, stop: AbortSignal): Promise<Service> => {
  const bytes = Buffer.byteLength(service)
  if (bytes <= transport.serviceBytesMax) return transport.open(service, stop)
  const message = `the command has ${bytes} bytes, adb carries at most ${transport.serviceBytesMax}`
  return Promise.reject(new LinkError('LINK_COMMAND_TOO_LONG', message))
}

/** Only with `shell,v2` can the end of a command be told from the end of the link. */
export const openShell = async (transport: Transport, command: string, stop: AbortSignal): Promise<Service> => {
  if (!transport.features.includes('shell_v2'))
    throw new LinkError(
      'DEVICE_SHELL_UNAVAILABLE',
      'the device is older than Android 7: its shell reports no exit code',
    )
  try {
    return await openService(transport, `${PREFIX}${command}`, stop)
  } catch (error) {
    if (!(error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED')) throw error
    throw new LinkError('DEVICE_SHELL_UNAVAILABLE', `the device refuses to start a shell: ${error.message}`, {
      cause: error,
    })
  }
}

/** Why something ended before its time: the link is lost, or the device ended just this. */
export const whyConnectionEnded = async (transport: Transport, what: string): Promise<unknown> => {
  await transport.probe()
  return transport.lost.aborted
    ? transport.lost.reason
    : new LinkError('DEVICE_LINK_LOST', `the device ended the connection during ${what}`)
}

/**
 * Rejects only when the content fails: a command may end without reading, and its exit code then says all there is to say.
 */
const feed = async (service: Service, content: Content): Promise<void> => {
  for await (const packet of stdinPackets(content)) {
    const isTaken = await service.write(packet).then(
      () => true,
      () => false,
    )
    if (!isTaken) return
  }
}

export interface RunOptions extends Pick<ShellOptions, 'stdin' | 'onOutput'> {
  stop: AbortSignal
  maxBytes: number
}

/** Copied as it comes: a device that sends single bytes would otherwise fill the memory with the pieces' own weight. */
const collect = async (
  transport: Transport,
  service: Service,
  { stop, maxBytes, onOutput }: RunOptions,
): Promise<CommandOutput> => {
  const stdout = growingBuffer()
  const stderr = growingBuffer()
  let exitCode: number | undefined
  const keep = (name: 'stdout' | 'stderr', output: typeof stdout) => (piece: Uint8Array) => {
    if (onOutput) return onOutput(name, piece)
    if (stdout.size() + stderr.size() + piece.length > maxBytes)
      throw new LinkError('DEVICE_OUTPUT_TOO_LARGE', `the command printed more than ${maxBytes} bytes and was ended`)
    output.append(piece)
  }
  const read = shellReader({
    stdout: keep('stdout', stdout),
    stderr: keep('stderr', stderr),
    exit: code => {
      exitCode = code
    },
  })
  while (exitCode === undefined) {
    const chunk = await service.read()
    if (chunk === undefined) throw stop.aborted ? stop.reason : await whyConnectionEnded(transport, 'the command')
    read(chunk)
  }
  return { exitCode, stdout: stdout.take(), stderr: stderr.take() }
}

export const runCommand = async (
  transport: Transport,
  command: string,
  options: RunOptions,
): Promise<CommandOutput> => {
  const { stop, stdin } = options
  const service = await openShell(transport, command, stop)
  const forget = onAbort(stop, () => service.close())
  try {
    const failed = deferred<never>()
    if (stdin) feed(service, stdin).catch(failed.reject)
    return await Promise.race([collect(transport, service, options), failed.promise])
  } finally {
    forget()
    service.close()
  }
}

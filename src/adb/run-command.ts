/** A command of the device's shell, run to its end: its exit code and all that it printed. */
import { onAbort } from './bounded.ts'
import { growingBuffer } from './growing-buffer.ts'
import { LinkError } from './link.ts'
import { shellReader, stdinPackets } from './shell-packets.ts'
import type { Service, Transport } from './transport.ts'

export interface CommandOutput {
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
export const brokenOff = async (transport: Transport, what: string): Promise<unknown> => {
  await transport.probe()
  return transport.lost.aborted
    ? transport.lost.reason
    : new LinkError('DEVICE_LINK_LOST', `the device ended the connection during ${what}`)
}

/** A command may end without reading: its exit code then says all there is to say. */
const feed = async (service: Service, content: Uint8Array): Promise<void> => {
  try {
    for (const packet of stdinPackets(content)) await service.write(packet)
  } catch {}
}

export interface RunOptions {
  stop: AbortSignal
  maxBytes: number
  stdin?: Uint8Array | undefined
}

/** Copied as it comes: a device that sends single bytes would otherwise fill the memory with the pieces' own weight. */
const collect = async (
  transport: Transport,
  service: Service,
  { stop, maxBytes }: RunOptions,
): Promise<CommandOutput> => {
  const stdout = growingBuffer()
  const stderr = growingBuffer()
  let exitCode: number | undefined
  const keep = (output: typeof stdout) => (piece: Uint8Array) => {
    if (stdout.size() + stderr.size() + piece.length > maxBytes)
      throw new LinkError('DEVICE_OUTPUT_TOO_LARGE', `the command printed more than ${maxBytes} bytes and was ended`)
    output.append(piece)
  }
  const read = shellReader({
    stdout: keep(stdout),
    stderr: keep(stderr),
    exit: code => {
      exitCode = code
    },
  })
  while (exitCode === undefined) {
    const chunk = await service.read().catch(() => undefined)
    if (chunk === undefined) throw stop.aborted ? stop.reason : await brokenOff(transport, 'the command')
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
    if (stdin) void feed(service, stdin)
    return await collect(transport, service, options)
  } finally {
    forget()
    service.close()
  }
}

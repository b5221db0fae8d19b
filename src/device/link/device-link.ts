/** A link as callers see it, over whichever transport: every call ends by its deadline, its caller or the device's loss. */
import type { Clock } from '../../runtime/clock.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { bounded } from './bounded.ts'
import { type CallOptions, type Link, LinkError, type LinkSocket, type LinkStream } from './link.ts'
import { OUTPUT_BYTES_MAX } from './link-limits.ts'
import { pushFile } from './push-file.ts'
import { openService, openShell, runCommand, shellReader, whyConnectionEnded } from './run-command.ts'
import { commandOutput, fileContent } from './streamed.ts'
import type { Service, Transport } from './transport.ts'

/** Until `next` gives undefined. There is no `return`: a reader that stops may go on later, and `close` ends it. */
const chunksFrom = (next: () => Promise<Uint8Array | undefined>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      const value = await next()
      return value === undefined ? { done: true, value } : { done: false, value }
    },
  }),
})

const openStream = async (transport: Transport, command: string, stop: AbortSignal): Promise<LinkStream> => {
  const service = await openShell(transport, command, stop)
  let pieces: Uint8Array[] = []
  let isOver = false
  const decode = shellReader({
    stdout: piece => pieces.push(piece),
    stderr: () => {},
    exit: () => {
      isOver = true
    },
  })
  const next = async (): Promise<Uint8Array | undefined> => {
    while (!isOver) {
      const chunk = await service.read()
      if (isOver) break
      if (chunk === undefined) throw await whyConnectionEnded(transport, 'the command')
      decode(chunk)
      if (pieces.length === 0) continue
      const read = Buffer.concat(pieces)
      pieces = []
      return read
    }
    return undefined
  }
  const close = () => {
    isOver = true
    service.close()
  }
  if (stop.aborted) close()
  return { chunks: chunksFrom(next), close }
}

const socketOf = (transport: Transport, name: string, service: Service): LinkSocket => {
  let isClosed = false
  /** Why a write fails: the socket has ended, or the whole link. */
  const whyEnded = async (): Promise<unknown> => {
    if (!isClosed) await transport.probe()
    if (isClosed) return new LinkError('LINK_CANCELLED', `${name} was closed`)
    return transport.lost.aborted
      ? transport.lost.reason
      : new LinkError('LINK_SOCKET_REFUSED', `${name} was closed by the device`)
  }
  const next = async (): Promise<Uint8Array | undefined> => {
    const chunk = await service.read()
    if (chunk !== undefined || isClosed) return chunk
    await transport.probe()
    if (transport.lost.aborted && !isClosed) throw transport.lost.reason
    return undefined
  }
  const close = () => {
    isClosed = true
    service.close()
  }
  return {
    chunks: chunksFrom(next),
    write: bytes =>
      service.write(bytes).catch(async () => {
        throw await whyEnded()
      }),
    delayAcknowledgement: () => service.delayAcknowledgement?.(),
    close,
  }
}

const openSocket = async (transport: Transport, name: string, stop: AbortSignal): Promise<LinkSocket> => {
  const socket = socketOf(transport, name, await openService(transport, name, stop))
  if (stop.aborted) socket.close()
  return socket
}

const MS_PER_SECOND = 1_000
const WHAT_CHARS_MAX = 80

/** True for a plausible serial number; whole series of devices share placeholders, which identify nothing. */
const isOwn = (serial: string) =>
  /^[\x20-\x7e]{1,255}$/.test(serial) && serial !== 'unknown' && !/^EMULATOR\d+X/.test(serial)

const short = (what: string) => (what.length > WHAT_CHARS_MAX ? `${what.slice(0, WHAT_CHARS_MAX)}...` : what)

export const createDeviceLink = (serial: string, transport: Transport, clock: Clock): Link => {
  const call = async <T>(what: string, options: CallOptions, work: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await bounded({ clock, what: short(what), lost: transport.lost, ...options }, work)
    } catch (error) {
      // A slow command or a dead link: the next call is to know.
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT') void transport.probe()
      throw error
    }
  }
  let ownSerial: string | undefined

  const { accept } = transport
  const link: Link = {
    serial,
    lost: transport.lost,
    ...(accept
      ? { accept: (to, serve) => accept(to, service => serve(socketOf(transport, `the stream to ${to}`, service))) }
      : {}),
    shell: (command, { stdin, onOutput, maxBytes = OUTPUT_BYTES_MAX.command, ...options }) =>
      call(command, options, async stop => {
        const { exitCode, stdout, stderr } = await runCommand(transport, command, { stop, maxBytes, stdin, onOutput })
        return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
      }),
    exec: (command, { maxBytes = OUTPUT_BYTES_MAX.raw, ...options }) =>
      call(command, options, async stop => (await runCommand(transport, command, { stop, maxBytes })).stdout),
    stream: (command, options) => call(command, options, stop => openStream(transport, command, stop)),
    socket: (service, options) => call(service, options, stop => openSocket(transport, service, stop)),
    push: (path, content, { mode, mtime = clock.now(), ...options }) => {
      const file = { path, content, mode, mtime: Math.floor(mtime / MS_PER_SECOND) }
      return call(`push ${path}`, options, stop => pushFile(transport, file, stop))
    },
    read: (path, options) => fileContent(transport, path, work => call(`read ${path}`, options, work)),
    output: (command, options) => commandOutput(transport, command, work => call(command, options, work)),
    pull: (path, { maxBytes = OUTPUT_BYTES_MAX.raw, ...options }) =>
      call(`pull ${path}`, options, async stop => {
        const { exitCode, stdout, stderr } = await runCommand(transport, commandLine('cat', path), { stop, maxBytes })
        if (exitCode === 0) return stdout
        throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses ${path}: ${stderr.toString().trim()}`)
      }),
    async hardwareSerial(options) {
      if (ownSerial !== undefined) return ownSerial
      const maxBytes = OUTPUT_BYTES_MAX.word
      const reply = link.shell(commandLine('getprop', 'ro.serialno'), { ...options, maxBytes })
      const { stdout, exitCode } = await reply.catch((error: unknown) => {
        if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE') return { stdout: '', exitCode: 0 }
        throw error
      })
      const serialno = stdout.trim()
      const found = isOwn(serialno) ? serialno : serial
      if (exitCode === 0) ownSerial = found
      return found
    },
  }
  return link
}

/** Opens what stays open on a device: a command that runs on, and a socket to one of its services. */
import { onAbort } from './bounded.ts'
import type { LinkSocket, LinkStream } from './link.ts'
import { LinkError } from './link-error.ts'
import { readAhead } from './read-ahead.ts'
import { brokenOff, openService, openShell } from './run-command.ts'
import { shellReader } from './shell-packets.ts'
import type { Service, Transport } from './transport.ts'

/** Undefined at the end and at a failure: which of them it was, the transport has to be asked. */
const readOrEnd = (service: Service) => service.read().catch(() => undefined)

/** A reader is told of the loss even when the service never ends. */
const endOnLoss = (transport: Transport, end: (error: unknown) => void) =>
  onAbort(transport.lost, () => end(transport.lost.reason))

export const openStream = async (transport: Transport, command: string, stop: AbortSignal): Promise<LinkStream> => {
  const service = await openShell(transport, command, stop)
  let pieces: Uint8Array[] = []
  let exited = false
  const decode = shellReader({
    stdout: piece => pieces.push(piece),
    stderr: () => {},
    exit: () => {
      exited = true
    },
  })
  const read = async (): Promise<Uint8Array | undefined> => {
    if (exited) return undefined
    const chunk = await readOrEnd(service)
    if (chunk === undefined) throw await brokenOff(transport, 'the command')
    pieces = []
    decode(chunk)
    return pieces.length === 0 && exited ? undefined : Buffer.concat(pieces)
  }
  const chunks = readAhead(read)
  const forget = endOnLoss(transport, chunks.end)
  const close = () => {
    forget()
    chunks.close()
    service.close()
  }
  if (stop.aborted) close()
  return { chunks, close }
}

export const openSocket = async (transport: Transport, name: string, stop: AbortSignal): Promise<LinkSocket> => {
  const service = await openService(transport, name, stop)
  const ended = new AbortController()
  const end = (error: unknown) => {
    chunks.end(error)
    ended.abort(error ?? new LinkError('LINK_SOCKET_REFUSED', `${name} was closed by the device`))
  }
  const read = async (): Promise<Uint8Array | undefined> => {
    const chunk = await readOrEnd(service)
    if (chunk !== undefined) return chunk
    await transport.probe()
    end(transport.lost.aborted ? transport.lost.reason : undefined)
    return undefined
  }
  const chunks = readAhead(read)
  const forget = endOnLoss(transport, end)

  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = onAbort(ended.signal, () => reject(ended.signal.reason))
      if (ended.signal.aborted) return
      service.write(bytes).then(
        () => {
          refuse()
          resolve()
        },
        (error: unknown) => {
          refuse()
          brokenOff(transport, name).then(why => reject(why ?? error), reject)
        },
      )
    })

  const close = () => {
    forget()
    chunks.close()
    ended.abort(new LinkError('LINK_CANCELLED', `${name} was closed`))
    service.close()
  }
  if (stop.aborted) close()
  return { chunks, write, close }
}

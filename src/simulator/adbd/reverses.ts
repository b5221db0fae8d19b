/** `reverse:`: ends of the phone on which its debug daemon listens, to open a stream to the host for each connection. */
import type { PhoneNetwork } from '../network.ts'
import type { AppSocket } from '../phone-parts.ts'
import type { HostStream, Service } from './stream.ts'

/** The connection through which a request came. */
export interface HostConnection {
  /** Opens a stream to a destination of the host; one of the two is called, once. */
  open(destination: string, serve: (stream: HostStream) => void, refused: () => void): void
  /** Called when the connection ends. */
  onClosed(listener: () => void): void
}

const FIRST_PORT = 40_000
const REVERSES_MAX = 1_024

const hex4 = (text: string) => `${Buffer.byteLength(text).toString(16).padStart(4, '0')}${text}`
const failed = (message: string) => `FAIL${hex4(message)}`

interface Reverse {
  host: string
  connection: HostConnection
}

/** Unread bytes of the phone; a host that takes no more has gone. */
const UNREAD_BYTES_MAX = 16 * 1_024 * 1_024

/** Bytes that the host sends before it closes still reach the phone. */
const carry = async (stream: HostStream, socket: AppSocket): Promise<void> => {
  socket.onClose(() => stream.end())
  socket.onData(bytes => {
    if (stream.queued() + bytes.length > UNREAD_BYTES_MAX) socket.close()
    else stream.write(bytes).catch(() => {})
  })
  for (let chunk = await stream.input.read(); chunk; chunk = await stream.input.read()) socket.write(chunk)
  socket.close()
}

export const createReverses = (
  network: PhoneNetwork | undefined,
): ((request: string, connection: HostConnection) => Service) => {
  const reverses = new Map<string, Reverse>()
  let nextPort = FIRST_PORT

  const remove = (end: string): boolean => {
    if (!reverses.delete(end)) return false
    network?.unlisten(end)
    return true
  }

  const listen = (end: string): boolean =>
    network?.listen(end, socket => {
      const reverse = reverses.get(end)
      const serve = (stream: HostStream) =>
        void carry(stream, socket).then(
          () => stream.end(),
          () => stream.end(),
        )
      if (reverse) reverse.connection.open(reverse.host, serve, () => socket.close())
      else socket.close()
    }) ?? true

  const add = (request: string, connection: HostConnection): string => {
    const [, norebind, device = '', host = ''] = /^(norebind:)?([^;]+);(.+)$/s.exec(request) ?? []
    if (device === '' || host === '') return failed('bad forward')
    const known = reverses.get(device)
    if (norebind && known) return failed('cannot rebind existing socket')
    if (reverses.size >= REVERSES_MAX) return failed('too many forwards')
    const end = device === 'tcp:0' ? `tcp:${nextPort++}` : device
    if (!known && !listen(end)) return failed('cannot bind listener: Address already in use')
    reverses.set(end, { host, connection })
    if (known?.connection !== connection) {
      connection.onClosed(() => {
        if (reverses.get(end)?.connection === connection) remove(end)
      })
    }
    return device === 'tcp:0' ? `OKAY${hex4(end.slice('tcp:'.length))}` : 'OKAY'
  }

  const answer = (request: string, connection: HostConnection): string => {
    if (request === 'list-forward') {
      return hex4([...reverses].map(([device, { host }]) => `UsbFfs ${device} ${host}\n`).join(''))
    }
    if (request === 'killforward-all') {
      for (const end of [...reverses.keys()]) remove(end)
      return 'OKAY'
    }
    if (request.startsWith('killforward:')) {
      const end = request.slice('killforward:'.length)
      return remove(end) ? 'OKAY' : failed(`listener '${end}' not found`)
    }
    return request.startsWith('forward:')
      ? add(request.slice('forward:'.length), connection)
      : failed('unknown request')
  }

  return (request, connection) => stream => stream.write(Buffer.from(answer(request, connection)))
}

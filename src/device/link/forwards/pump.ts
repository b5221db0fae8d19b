/** Carries bytes between a socket of this host and one of a device until either ends; then both are closed. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { LinkSocket } from '../link.ts'

/** Node tells of each chunk of a socket; the next one is read when the device has taken it. */
const toDevice = async (socket: Socket, device: LinkSocket): Promise<void> => {
  for await (const chunk of socket) await device.write(chunk as Uint8Array)
}

const toHost = async (device: LinkSocket, socket: Socket): Promise<void> => {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  for await (const chunk of device.chunks) {
    if (socket.destroyed) return
    if (!socket.write(chunk)) await once(socket, 'drain', { signal: gone.signal })
  }
  socket.end()
}

/** Never rejects: a connection that breaks is over. */
export const pump = async (socket: Socket, device: LinkSocket): Promise<void> => {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  const closed = new Promise(resolve => socket.once('close', resolve))
  const over = () => {
    device.close()
    socket.destroySoon()
  }
  socket.once('close', () => device.close())
  await Promise.allSettled([toDevice(socket, device).finally(over), toHost(device, socket).finally(over)])
  if (!socket.destroyed) await closed
}

/** Connects a TCP or Unix socket, to the adb server or to a device. */
import { connect, type Socket } from 'node:net'
import { type Clock, pause } from '../../runtime/clock.ts'
import { onAbort } from './bounded.ts'

type SocketAddress = { readonly path: string } | { readonly host: string; readonly port: number }

/** The backlog of an adb server on a Unix socket is 4: one connection more is refused with EAGAIN. */
const FULL_BACKLOG_PAUSE_MS = 5

const isFullBacklog = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

const connectOnce = (address: SocketAddress, stop: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(address)
    const forget = onAbort(stop, () => socket.destroy(stop.reason instanceof Error ? stop.reason : undefined))
    const fail = (error?: unknown) => {
      forget()
      reject(error ?? stop.reason)
    }
    socket.once('error', fail).once('close', fail)
    socket.once('connect', () => {
      forget()
      socket.off('error', fail).off('close', fail)
      socket.setNoDelay(true)
      resolve(socket)
    })
  })

export const connectSocket = async (address: SocketAddress, stop: AbortSignal, clock: Clock): Promise<Socket> => {
  for (;;) {
    try {
      return await connectOnce(address, stop)
    } catch (error) {
      if (!isFullBacklog(error) || stop.aborted) throw error
      await pause(clock, FULL_BACKLOG_PAUSE_MS, stop)
    }
  }
}

/** A TCP or Unix socket as the streams that the adb package works with. */
import { connect, type Socket } from 'node:net'
import {
  MaybeConsumable,
  PushReadableStream,
  type ReadableStream,
  tryClose,
  type WritableStream,
} from '@yume-chan/stream-extra'
import { type Clock, pause } from '../runtime/clock.ts'
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

interface ByteStreams {
  readable: ReadableStream<Uint8Array>
  writable: WritableStream<MaybeConsumable<Uint8Array>>
  closed: Promise<undefined>
  close(): void
}

/**
 * Own code and not the connector of adb-server-node-tcp: there a connection that is reset never ends its readable,
 * so a reader waits for ever.
 */
export const byteStreams = (socket: Socket): ByteStreams => ({
  readable: new PushReadableStream<Uint8Array>(controller => {
    const pass = async (data: Uint8Array) => {
      socket.pause()
      await controller.enqueue(data)
      socket.resume()
    }
    socket.on('data', data => void pass(data).catch(() => socket.destroy()))
    socket.on('error', error => controller.error(error))
    socket.on('end', () => tryClose(controller))
    socket.on('close', () => tryClose(controller))
    controller.abortSignal.addEventListener('abort', () => socket.destroy())
  }),
  writable: new MaybeConsumable.WritableStream<Uint8Array>({
    write: chunk =>
      new Promise<void>((resolve, reject) => {
        socket.write(chunk, error => (error ? reject(error) : resolve()))
      }),
  }),
  closed: new Promise(resolve => socket.once('close', () => resolve(undefined))),
  close: () => socket.destroySoon(),
})

/** A simulated Unix socket: bytes arrive in order and late, either end may close it, and it may be lost on the way. */
import type { DaemonSocket } from '../../../src/surfaces/daemon/client/connection.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import { createLane } from '../skills/pipe.ts'

const WAY_MS = { min: 0, max: 3 }

/** The end of the listener. */
export interface ServedConnection {
  send(text: string): void
  end(): void
  readonly isOver: () => boolean
}

export interface Acceptor {
  owner: Owner
  /** Hears what the client says; nothing is heard any more once it is over. */
  accept(connection: ServedConnection): (text: string) => void
  /** Messages of the listener that come through before the connection is lost. */
  messagesLeft(): number
}

type Listeners = Partial<Record<string, (value: never) => void>>

export const connectTo = (scheduler: Scheduler, client: Owner, acceptor: Acceptor | 'ENOENT' | 'ECONNREFUSED') => {
  const listeners: Listeners = {}
  const emit = (event: string, value?: unknown) => listeners[event]?.(value as never)
  const delay = () => client.random.int(WAY_MS.min, WAY_MS.max)
  const toClient = createLane(scheduler, client)
  const toServer = typeof acceptor === 'string' ? undefined : createLane(scheduler, acceptor.owner)
  let hear: ((text: string) => void) | undefined
  let isServerOver = false
  let isClosed = false
  let messages = typeof acceptor === 'string' ? 0 : acceptor.messagesLeft()

  const close = () => {
    if (isClosed) return
    isClosed = true
    emit('close')
  }
  const end = () => {
    if (isServerOver) return
    isServerOver = true
    toClient('hears the end', delay(), () => {
      socket.destroyed = true
      close()
    })
  }
  const socket = {
    destroyed: false,
    writable: true,
    readableEnded: false,
    on(event: string, listener: (value: never) => void) {
      listeners[event] = listener
    },
    write(bytes: string | Buffer) {
      if (socket.destroyed || !scheduler.cross(client, 'writes')) return
      toServer?.('hears a client', delay(), () => {
        if (!isServerOver) hear?.(bytes.toString())
      })
    },
    destroy() {
      if (socket.destroyed) return
      socket.destroyed = true
      socket.writable = false
      toServer?.('loses a client', delay(), () => {
        isServerOver = true
      })
      toClient('closes', 0, close)
    },
    unref() {},
  }
  if (typeof acceptor === 'string')
    toClient('cannot connect', delay(), () => {
      if (socket.destroyed) return
      socket.destroyed = true
      emit('error', Object.assign(new Error(`connect ${acceptor}`), { code: acceptor }))
      close()
    })
  else {
    toClient('connects', delay(), () => {
      if (!socket.destroyed) emit('connect')
    })
    hear = acceptor.accept({
      send(text) {
        if (isServerOver) return
        messages -= 1
        if (messages < 0) return end()
        toClient(`hears ${text.length} bytes`, delay(), () => {
          if (!socket.destroyed) emit('data', Buffer.from(text))
        })
      },
      end,
      isOver: () => isServerOver,
    })
  }
  return { socket: socket as DaemonSocket, end, isOpen: () => !socket.destroyed }
}

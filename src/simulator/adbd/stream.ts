/** One stream of a connection: one write in flight, an ending only after the last acknowledgement, and bounds both ways. */
import { AdbCommand } from '@yume-chan/adb'
import { EMPTY_PAYLOAD } from '../../device/link/packet.ts'
import { createPipe, type Input, StreamEnded } from '../shell/io.ts'

/** A service as it sees its host. */
export interface HostStream {
  /** The bytes from the host; ends when the host closes. */
  input: Input
  /** Aborted when the stream is over, whichever side ended it. */
  signal: AbortSignal
  /** Resolves when there is room for more; rejects with StreamEnded once the host has gone. */
  write(bytes: Uint8Array): Promise<void>
  /** Bytes that wait to be sent. */
  queued(): number
  /** Closes once all that was written has been taken. */
  end(): void
}

/** Serves one stream until it is over. */
export type Service = (stream: HostStream) => Promise<void>

/** A stream as its connection drives it. */
export interface Stream extends HostStream {
  acknowledged(): void
  received(payload: Uint8Array): void
  /** The connection has gone. */
  closed(): void
  /** The host has closed it: what came before can still be read. */
  hungUp(): void
  /** Sends what may be sent now. */
  pump(): void
}

/** A producer waits while this much lies unsent. */
const QUEUE_BYTES = 256 * 1_024
/** A reason of its own is cheaper than the exception that an abort without one makes. */
const OVER = 'the stream is over'
/** Nothing is acknowledged while this much lies unread. */
const INPUT_BYTES = 256 * 1_024

interface StreamOptions {
  localId: number
  remoteId: number
  payloadBytesMax: number
  send(command: number, arg0: number, arg1: number, payload: Uint8Array): void
  /** Asks for a `pump` soon. */
  wake(): void
  /** Called once, when the connection can forget the stream. */
  over(): void
}

export const createStream = ({ localId, remoteId, payloadBytesMax, send, wake, over }: StreamOptions): Stream => {
  const input = createPipe(INPUT_BYTES)
  const gone = new AbortController()
  let queue: Uint8Array[] = []
  let size = 0
  let inFlight = false
  let ending = false
  let waiting: { resolve: () => void; reject: (error: Error) => void }[] = []

  const finish = (endInput: () => void) => {
    if (gone.signal.aborted) return
    queue = []
    size = 0
    const refused = waiting
    waiting = []
    gone.abort(OVER)
    endInput()
    for (const { reject } of refused) reject(new StreamEnded())
    over()
  }

  const nextPayload = (): Uint8Array => {
    const parts: Uint8Array[] = []
    let room = payloadBytesMax
    for (let first = queue[0]; first && room > 0; first = queue[0]) {
      if (first.length > room) {
        parts.push(first.subarray(0, room))
        queue[0] = first.subarray(room)
        room = 0
      } else {
        parts.push(first)
        queue.shift()
        room -= first.length
      }
    }
    const [only = EMPTY_PAYLOAD] = parts
    return parts.length === 1 ? only : Buffer.concat(parts)
  }

  const release = () => {
    if (size > QUEUE_BYTES) return
    const ready = waiting
    waiting = []
    for (const { resolve } of ready) resolve()
  }

  return {
    input,
    signal: gone.signal,
    queued: () => size,
    write(bytes) {
      if (gone.signal.aborted || ending) return Promise.reject(new StreamEnded())
      if (bytes.length === 0) return Promise.resolve()
      queue.push(bytes)
      size += bytes.length
      wake()
      return size <= QUEUE_BYTES
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            waiting.push({ resolve, reject })
          })
    },
    end() {
      if (ending || gone.signal.aborted) return
      ending = true
      wake()
    },
    acknowledged() {
      inFlight = false
      wake()
    },
    received(payload) {
      // The host sends no more until this is answered, so an unread input holds it back.
      input.write(payload).then(
        () => {
          if (!gone.signal.aborted) send(AdbCommand.Okay, localId, remoteId, EMPTY_PAYLOAD)
        },
        () => {},
      )
    },
    closed: () => finish(input.cancel),
    hungUp: () => finish(input.end),
    pump() {
      if (inFlight || gone.signal.aborted) return
      if (size > 0) {
        const payload = nextPayload()
        size -= payload.length
        inFlight = true
        send(AdbCommand.Write, localId, remoteId, payload)
        release()
      } else if (ending) {
        send(AdbCommand.Close, localId, remoteId, EMPTY_PAYLOAD)
        finish(input.cancel)
      }
    },
  }
}

/** The services that share one connection to a device: each has a number at both ends, and one write under way. */
import { chunkQueue } from './buffers.ts'
import { COMMAND, type Packet } from './packet.ts'
import type { Service } from './transport.ts'

/** A device sends one packet of a service and waits until it was acknowledged; a few more are forgiven. */
const UNACKNOWLEDGED_MAX = 4

type Send = (command: number, arg0: number, arg1: number, payload?: Uint8Array) => void

/** How the packets of all streams leave. */
interface Output {
  send: Send
  /** Acknowledgements that have not left may wait for the next packet. */
  delayAcknowledgements(): void
}

interface StreamOptions {
  id: number
  /** The number at the device, for a stream that the device has opened. */
  openedBy?: number
  payloadBytesMax: number
  output: Output
  onOpened(service: Service): void
  onRefused(error: Error): void
}

interface Write {
  bytes: Uint8Array
  resolve(): void
  reject(error: Error): void
}

const ended = () => new Error('the service has ended')
const LEFT = Promise.resolve()

const createStream = ({ id, openedBy, payloadBytesMax, output, onOpened, onRefused }: StreamOptions) => {
  const { send } = output
  let state: 'opening' | 'open' | 'closed' = openedBy === undefined ? 'opening' : 'open'
  let remoteId = openedBy ?? 0
  /** The device has taken the packet before. */
  let isTaken = openedBy !== undefined
  let unacknowledged = 0
  let writes: Write[] = []

  const acknowledge = () => {
    for (; unacknowledged > 0 && !unread.isFull(); unacknowledged--) send(COMMAND.OKAY, id, remoteId)
  }
  const unread = chunkQueue(acknowledge)

  const sendNext = () => {
    const [next] = writes
    if (!next || !isTaken) return
    isTaken = false
    send(COMMAND.WRTE, id, remoteId, next.bytes.subarray(0, payloadBytesMax))
    next.bytes = next.bytes.subarray(payloadBytesMax)
    if (next.bytes.length > 0) return
    writes.shift()
    next.resolve()
  }
  /** Nothing more is sent or acknowledged. */
  const leave = () => {
    state = 'closed'
    unacknowledged = 0
    const unsent = writes
    writes = []
    for (const { reject } of unsent) reject(ended())
  }

  const service: Service = {
    read: unread.read,
    write(bytes) {
      if (state !== 'open') return Promise.reject(ended())
      if (bytes.length === 0) return LEFT
      if (isTaken && bytes.length <= payloadBytesMax) {
        isTaken = false
        send(COMMAND.WRTE, id, remoteId, bytes)
        return LEFT
      }
      return new Promise((resolve, reject) => {
        writes.push({ bytes, resolve, reject })
        sendNext()
      })
    },
    delayAcknowledgement: output.delayAcknowledgements,
    close() {
      unread.close()
      if (state !== 'open') return
      leave()
      send(COMMAND.CLSE, id, remoteId)
    },
  }

  return {
    service,
    taken(by: number) {
      isTaken = true
      if (state === 'opening') {
        state = 'open'
        remoteId = by
        onOpened(service)
      } else if (state === 'open') sendNext()
    },
    /** Throws at a device that does not wait: all that it sends would fill the memory. */
    received(payload: Uint8Array) {
      if (state !== 'open') return
      unacknowledged += 1
      if (unacknowledged > UNACKNOWLEDGED_MAX) throw new Error('it sends more data than was requested')
      unread.push(payload)
      acknowledge()
    },
    /** The device has ended it, or the connection has. */
    ended() {
      if (state === 'opening') onRefused(new Error('Socket open failed'))
      if (state === 'open') send(COMMAND.CLSE, id, remoteId)
      leave()
      unread.end()
    },
  }
}

/** A device may have opened so many streams at once; more are refused. */
const OPENED_BY_DEVICE_MAX = 256

type Serve = (service: Service) => void

const destinationIn = (payload: Uint8Array): string => Buffer.from(payload).toString().replace(/\0.*$/s, '')

interface StreamsOptions {
  payloadBytesMax: number
  /** Devices before Android 9 read the name of a service up to a NUL. */
  isTerminated: boolean
  output: Output
}

export const directStreams = ({ payloadBytesMax, isTerminated, output }: StreamsOptions) => {
  const { send } = output
  const streams = new Map<number, ReturnType<typeof createStream>>()
  /** By what a device asks for; it reaches nothing else of this host. */
  const destinations = new Map<string, readonly Serve[]>()
  const openedByDevice = new Set<number>()
  let lastId = 0

  const openedBy = (remoteId: number, destination: string) => {
    const serve = destinations.get(destination)?.at(-1)
    if (!serve || remoteId === 0 || openedByDevice.size >= OPENED_BY_DEVICE_MAX) {
      send(COMMAND.CLSE, 0, remoteId)
      return
    }
    const id = ++lastId
    const nothing = () => {}
    const stream = createStream({
      id,
      openedBy: remoteId,
      payloadBytesMax,
      output,
      onOpened: nothing,
      onRefused: nothing,
    })
    streams.set(id, stream)
    openedByDevice.add(id)
    send(COMMAND.OKAY, id, remoteId)
    serve(stream.service)
  }

  return {
    /** Serves the streams that the device opens to this destination, until the returned function is called. */
    accept(destination: string, serve: Serve): () => void {
      destinations.set(destination, [...(destinations.get(destination) ?? []), serve])
      return () => {
        const others = (destinations.get(destination) ?? []).filter(other => other !== serve)
        if (others.length === 0) destinations.delete(destination)
        else destinations.set(destination, others)
      }
    },
    /** Rejects when the device refuses the service, and when the connection ends. */
    open: (service: string): Promise<Service> =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        streams.set(id, createStream({ id, payloadBytesMax, output, onOpened: resolve, onRefused: reject }))
        send(COMMAND.OPEN, id, 0, Buffer.from(isTerminated ? `${service}\0` : service))
      }),
    /** Throws at what no device sends. */
    receive({ command, arg0: remoteId, arg1: id, payload }: Packet) {
      const stream = streams.get(id)
      if (command === COMMAND.OKAY) {
        // An answer to what an earlier connection has opened.
        if (!stream) return send(COMMAND.CLSE, id, remoteId)
        stream.taken(remoteId)
      } else if (command === COMMAND.WRTE) {
        if (!stream) throw new Error('it sends data of a service that is not open')
        stream.received(payload)
      } else if (command === COMMAND.CLSE) {
        streams.delete(id)
        openedByDevice.delete(id)
        stream?.ended()
      } else if (command === COMMAND.OPEN) openedBy(remoteId, destinationIn(payload))
      else throw new Error(`it sends the unknown packet ${command.toString(16)}`)
    },
    /** The connection has ended. */
    end() {
      const open = [...streams.values()]
      streams.clear()
      for (const stream of open) stream.ended()
    },
  }
}

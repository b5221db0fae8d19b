/** One host at the debug daemon: its packets, its streams, and nothing left of it when it goes. */
import type { Socket } from 'node:net'
import { AdbCommand } from '@yume-chan/adb'
import {
  checksumOf,
  EMPTY_PAYLOAD,
  type Packet,
  PacketError,
  packetReader,
  writeHeader,
} from '../../device/link/packet.ts'
import type { Phone } from '../phone.ts'
import type { DeviceState } from '../phone-parts.ts'
import { authPacket, connectPacket, createHandshake, type Reaction, type Terms, VERSION } from './handshake.ts'
import type { HostConnection } from './reverses.ts'
import type { OpenService } from './services.ts'
import { createStream, type Stream } from './stream.ts'

/** More open streams than this are refused. */
const STREAMS_MAX = 1_024
/** Nothing more is read or sent while this much waits for the host to take it. */
const UNSENT_BYTES = 4 * 1_024 * 1_024

interface ConnectionOptions {
  socket: Socket
  phone: Phone
  state: DeviceState
  openService: OpenService
  /** Called once, when nothing is left of it. */
  over(): void
}

const serviceName = (payload: Uint8Array): string => {
  const end = payload.indexOf(0)
  return Buffer.from(end < 0 ? payload : payload.subarray(0, end)).toString('utf8')
}

export const createConnection = ({ socket, phone, state, openService, over }: ConnectionOptions) => {
  const readPackets = packetReader()
  const handshake = createHandshake(phone, state)
  const streams = new Map<number, Stream>()
  const dirty = new Set<Stream>()
  let terms: Terms | undefined
  let lastId = 0
  let flushing: NodeJS.Immediate | undefined

  /** Streams to the host that it has not answered yet. */
  const opening = new Map<number, { serve: (stream: Stream) => void; refused: () => void }>()
  const onClosed = new Set<() => void>()
  const host: HostConnection = {
    open(destination, serve, refused) {
      if (!terms || streams.size + opening.size >= STREAMS_MAX) return refused()
      const localId = ++lastId
      opening.set(localId, { serve, refused })
      send({ command: AdbCommand.Open, arg0: localId, arg1: 0, payload: Buffer.from(`${destination}\0`) })
    },
    onClosed: listener => void onClosed.add(listener),
  }

  const dropStreams = () => {
    for (const stream of [...streams.values()]) stream.closed()
    const refused = [...opening.values()]
    opening.clear()
    for (const pending of refused) pending.refused()
    for (const listener of onClosed) listener()
    onClosed.clear()
    dirty.clear()
  }

  const close = () => {
    if (flushing) clearImmediate(flushing)
    flushing = undefined
    dropStreams()
    socket.destroy()
  }

  // Whatever one turn of the event loop has to say goes out in one piece.
  const flush = () => {
    for (const stream of [...dirty]) {
      if (socket.writableLength > UNSENT_BYTES) break
      dirty.delete(stream)
      stream.pump()
    }
    flushing = undefined
    socket.uncork()
  }
  const flushSoon = () => {
    if (flushing || socket.destroyed) return
    socket.cork()
    flushing = setImmediate(flush)
  }

  const send = (packet: Packet) => {
    if (socket.destroyed) return
    flushSoon()
    const isSummed = terms === undefined || terms.version < VERSION
    socket.write(writeHeader(packet, isSummed ? checksumOf(packet.payload) : 0))
    if (packet.payload.length > 0) socket.write(packet.payload)
    if (socket.writableLength > UNSENT_BYTES) socket.pause()
  }

  const addStream = (localId: number, remoteId: number, payloadBytesMax: number): Stream => {
    const stream: Stream = createStream({
      localId,
      remoteId,
      payloadBytesMax,
      send: (command, arg0, arg1, payload) => send({ command, arg0, arg1, payload }),
      wake: () => {
        dirty.add(stream)
        flushSoon()
      },
      over: () => {
        streams.delete(localId)
        dirty.delete(stream)
      },
    })
    streams.set(localId, stream)
    return stream
  }

  const open = (remoteId: number, name: string) => {
    if (!terms || remoteId === 0) return
    const serve = streams.size < STREAMS_MAX ? openService(name, host) : undefined
    if (!serve) {
      send({ command: AdbCommand.Close, arg0: 0, arg1: remoteId, payload: EMPTY_PAYLOAD })
      return
    }
    const localId = ++lastId
    const stream = addStream(localId, remoteId, terms.payloadBytesMax)
    send({ command: AdbCommand.Okay, arg0: localId, arg1: remoteId, payload: EMPTY_PAYLOAD })
    serve(stream)
  }

  const react = (reaction: Reaction) => {
    if (reaction.kind === 'close') close()
    else if (reaction.kind === 'challenge') send(authPacket(reaction.token))
    else if (reaction.kind === 'connected') {
      send(connectPacket(reaction.banner))
      terms = reaction.terms
    }
  }

  const forStream = ({ command, arg0: remoteId, arg1: localId, payload }: Packet) => {
    const pending = opening.get(localId)
    if (pending && terms) {
      opening.delete(localId)
      if (command !== AdbCommand.Okay) return pending.refused()
      return pending.serve(addStream(localId, remoteId, terms.payloadBytesMax))
    }
    const stream = streams.get(localId)
    if (!stream) {
      // One of ours that is over: the host has been told already.
      const ours = localId > 0 && localId <= lastId
      if (!ours && command !== AdbCommand.Close && remoteId !== 0) {
        send({ command: AdbCommand.Close, arg0: 0, arg1: remoteId, payload: EMPTY_PAYLOAD })
      }
      return
    }
    if (command === AdbCommand.Okay) stream.acknowledged()
    else if (command === AdbCommand.Write) stream.received(payload)
    else {
      send({ command: AdbCommand.Close, arg0: localId, arg1: remoteId, payload: EMPTY_PAYLOAD })
      stream.hungUp()
    }
  }

  const receive = (packet: Packet) => {
    if (packet.command === AdbCommand.Connect || packet.command === AdbCommand.Auth) {
      if (packet.command === AdbCommand.Connect) {
        terms = undefined
        dropStreams()
      } else if (terms) return
      react(handshake.received(packet))
    } else if (terms) {
      if (packet.command === AdbCommand.Open) open(packet.arg0, serviceName(packet.payload))
      else if (packet.command === AdbCommand.Okay || packet.command === AdbCommand.Write) forStream(packet)
      else if (packet.command === AdbCommand.Close) forStream(packet)
    }
  }

  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('close', () => {
    close()
    over()
  })
  socket.on('end', close)
  socket.on('drain', () => {
    socket.resume()
    if (dirty.size > 0) flushSoon()
  })
  socket.on('data', (bytes: Buffer) => {
    if (state === 'offline') return
    try {
      for (const packet of readPackets(bytes)) {
        if (socket.destroyed) return
        receive(packet)
      }
    } catch (error) {
      if (!(error instanceof PacketError))
        phone.log.write('E', 'adbd', `a packet broke the connection: ${String(error)}`)
      close()
    }
  })

  return { allow: () => react(handshake.allow()), close }
}

export type Connection = ReturnType<typeof createConnection>

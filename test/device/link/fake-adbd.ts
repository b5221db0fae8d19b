/** A device that speaks the debug protocol on a TCP port: just enough of one, and misbehaving on request. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FakeDevice, FakeStream } from './fake-services.ts'

const CNXN = 0x4e584e43
const AUTH = 0x48545541
const OPEN = 0x4e45504f
const OKAY = 0x59414b4f
const WRTE = 0x45545257
const CLSE = 0x45534c43
const PAYLOAD_MAX = 1024 * 1024
export const TOKEN = Buffer.from('01234567890123456789')

export interface FakeAdbdOptions {
  /** `ask` answers every signature with another token; `silent` never answers at all. */
  auth?: 'none' | 'ask' | 'silent'
  features?: string
  payloadMax?: number
  kind?: string
  /** Sends the bytes of a service without waiting until they are taken. */
  isRude?: boolean
  port?: number
}

const packet = (command: number, arg0: number, arg1: number, data: Uint8Array = new Uint8Array()): Buffer => {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(command, 0)
  header.writeUInt32LE(arg0, 4)
  header.writeUInt32LE(arg1, 8)
  header.writeUInt32LE(data.length, 12)
  header.writeUInt32LE((command ^ 0xffffffff) >>> 0, 20)
  return Buffer.concat([header, data])
}

interface Stream {
  stream: FakeStream
  ready(): void
  take(bytes: Buffer): void
  closed(): void
}

export const startFakeAdbd = async (device: FakeDevice, options: FakeAdbdOptions = {}) => {
  const { auth = 'none', features = 'shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir', payloadMax = PAYLOAD_MAX } = options
  const connections = new Set<Socket>()
  const asked: { type: number; payload: Buffer }[] = []
  let connects = 0
  let mute = false
  let sent = 0

  const createStream = (socket: Socket, id: number, peer: number): Stream => {
    const queue: Buffer[] = []
    let inFlight = false
    let ending = false
    let gone = false
    const onData: ((bytes: Buffer) => void)[] = []
    const onClose: (() => void)[] = []
    const onTaken: (() => void)[] = []
    const flush = () => {
      if (gone || (inFlight && !options.isRude)) return
      const next = queue.shift()
      if (next) {
        inFlight = true
        sent += next.length
        socket.write(packet(WRTE, id, peer, next))
      } else if (ending) {
        gone = true
        socket.write(packet(CLSE, id, peer))
        for (const call of onClose) call()
      } else for (const call of onTaken) call()
    }
    return {
      stream: {
        send(bytes) {
          for (let at = 0; at < bytes.length; at += payloadMax)
            queue.push(Buffer.from(bytes.subarray(at, at + payloadMax)))
          do flush()
          while (options.isRude && queue.length > 0)
        },
        end() {
          ending = true
          flush()
        },
        onData: call => void onData.push(call),
        onClose: call => void onClose.push(call),
        onTaken: call => void onTaken.push(call),
      },
      ready() {
        inFlight = false
        flush()
      },
      take(bytes) {
        socket.write(packet(OKAY, id, peer))
        for (const call of onData) call(bytes)
      },
      closed() {
        if (gone) return
        gone = true
        for (const call of onClose) call()
        socket.write(packet(CLSE, id, peer))
      },
    }
  }

  const banner = Buffer.from(
    `${options.kind ?? 'device'}::ro.product.name=fake;ro.product.model=Fake;features=${features}`,
  )
  const server = createServer({ noDelay: true }, socket => {
    connects += 1
    connections.add(socket)
    const streams = new Map<number, Stream>()
    let nextId = 1
    let pending = Buffer.alloc(0)
    const welcome = () => socket.write(packet(CNXN, 0x01000001, payloadMax, banner))
    const handle = (command: number, arg0: number, arg1: number, data: Buffer) => {
      if (mute) return
      if (command === CNXN && auth === 'none') welcome()
      if (command === CNXN && auth === 'ask') socket.write(packet(AUTH, 1, 0, TOKEN))
      if (command === AUTH) asked.push({ type: arg0, payload: Buffer.from(data) })
      if (command === AUTH && arg0 === 2) socket.write(packet(AUTH, 1, 0, TOKEN))
      if (command === OPEN) {
        const id = nextId++
        const stream = createStream(socket, id, arg0)
        const service = data.toString().replace(/\0$/, '')
        if (service.startsWith('never:')) return void device.opened.push(service)
        if (!device.accept(service, stream.stream)) return void socket.write(packet(CLSE, 0, arg0))
        streams.set(id, stream)
        socket.write(packet(OKAY, id, arg0))
      }
      const stream = streams.get(arg1)
      if (command === OKAY) stream?.ready()
      if (command === WRTE) stream?.take(data)
      if (command === CLSE) stream?.closed()
    }
    socket.on('data', bytes => {
      pending = Buffer.concat([pending, bytes])
      while (pending.length >= 24 && pending.length >= 24 + pending.readUInt32LE(12)) {
        const length = pending.readUInt32LE(12)
        const [command, arg0, arg1] = [0, 4, 8].map(at => pending.readUInt32LE(at))
        const data = pending.subarray(24, 24 + length)
        pending = pending.subarray(24 + length)
        handle(command ?? 0, arg0 ?? 0, arg1 ?? 0, data)
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      connections.delete(socket)
      for (const stream of streams.values()) stream.closed()
    })
    accepted.push(welcome)
  })
  const accepted: (() => void)[] = []
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    serial: `127.0.0.1:${port}`,
    asked,
    connects: () => connects,
    /** Bytes of services that were sent. */
    sent: () => sent,
    connections,
    /** As if a person had touched `Allow`. */
    allow: () => accepted.at(-1)?.(),
    /** From now on nothing is answered, with the connection left open. */
    hush: () => {
      mute = true
    },
    cut: () => {
      for (const socket of connections) socket.resetAndDestroy()
    },
    async stop() {
      server.close()
      for (const socket of connections) socket.destroy()
    },
  }
}
export type FakeAdbd = Awaited<ReturnType<typeof startFakeAdbd>>

/** A host of the debug bridge that says exactly what a test tells it to, also what no sane host says. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from '../until.ts'

export interface RawPacket {
  command: string
  arg0: number
  arg1: number
  payload: Buffer
}

const HEADER_BYTES = 24
export const MAX_PAYLOAD = 1_024 * 1_024
const VERSION = 0x0100_0001

export const encode = (command: string, arg0: number, arg1: number, payload: string | Uint8Array = ''): Buffer => {
  const body = Buffer.from(payload)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(command, 'latin1')
  header.writeUInt32LE(arg0, 4)
  header.writeUInt32LE(arg1, 8)
  header.writeUInt32LE(body.length, 12)
  header.writeUInt32LE(
    body.reduce((sum, byte) => sum + byte, 0),
    16,
  )
  header.writeUInt32LE((header.readUInt32LE(0) ^ 0xffff_ffff) >>> 0, 20)
  return Buffer.concat([header, body])
}

export interface RawHost {
  socket: Socket
  /** Everything that came and was not taken yet. */
  packets: RawPacket[]
  /** The checksum fields of all that came. */
  checksums: number[]
  send(command: string, arg0: number, arg1: number, payload?: string | Uint8Array): void
  /** Takes the next packet. */
  next(): Promise<RawPacket>
  /** Says hello as a host that needs no authorization. */
  hello(payloadBytesMax?: number, version?: number): Promise<RawPacket>
  /** Opens a service and gives the id of the device's end. */
  open(id: number, service: string): Promise<number>
  closed(): Promise<void>
  end(): void
}

export const rawHost = async (port: number): Promise<RawHost> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const packets: RawPacket[] = []
  const checksums: number[] = []
  let held = Buffer.alloc(0)
  let isClosed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    while (held.length >= HEADER_BYTES && held.length >= HEADER_BYTES + held.readUInt32LE(12)) {
      const end = HEADER_BYTES + held.readUInt32LE(12)
      const [arg0, arg1] = [held.readUInt32LE(4), held.readUInt32LE(8)]
      packets.push({ command: held.toString('latin1', 0, 4), arg0, arg1, payload: held.subarray(HEADER_BYTES, end) })
      checksums.push(held.readUInt32LE(16))
      held = held.subarray(end)
    }
  })
  const host: RawHost = {
    socket,
    packets,
    checksums,
    send: (...packet) => void socket.write(encode(...packet)),
    async next() {
      await until(() => packets.length > 0 || isClosed, 'a packet')
      const packet = packets.shift()
      if (!packet) throw new Error('the device closed the connection')
      return packet
    },
    async hello(payloadBytesMax = MAX_PAYLOAD, version = VERSION) {
      host.send('CNXN', version, payloadBytesMax, 'host::features=shell_v2,cmd')
      return host.next()
    },
    async open(id, service) {
      host.send('OPEN', id, 0, `${service}\0`)
      const { command, arg0, arg1 } = await host.next()
      if (command !== 'OKAY' || arg1 !== id) throw new Error(`${service} was answered by ${command}`)
      return arg0
    },
    closed: () => until(() => isClosed, 'the device to close the connection'),
    end: () => socket.destroy(),
  }
  return host
}

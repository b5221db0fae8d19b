/** The debug bridge from the host's side: packets of a device, the shell protocol, the words of the adb server, lists of devices. */

import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { hostAndPort, serverAddress, tcpDevices } from '../../../src/contracts/device/addresses.ts'
import { parseDeviceList } from '../../../src/device/link/adb-server.ts'
import { checksumOf, devicePackets, PacketError, packetReader, writeHeader } from '../../../src/device/link/packet.ts'
import { shellReader } from '../../../src/device/link/run-command.ts'
import { ServerStreamError, serverStream } from '../../../src/device/link/server-stream.ts'
import { encode } from '../../support/adb/raw-adb-host.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutatePieces } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectSameInPieces, expectThat, stateless, type Target } from '../target.ts'

const HEADER_BYTES = 24

/** Packets with their length, checksum and magic made right again, so that what is within them is read. */
export const adbPieces = mutatePieces({
  cut(input) {
    const pieces: Buffer[] = []
    for (let at = 0; at + HEADER_BYTES <= input.length; ) {
      const end = at + HEADER_BYTES + input.readUInt32LE(at + 12)
      pieces.push(input.subarray(at, end))
      at = end
    }
    return pieces
  },
  join: pieces =>
    Buffer.concat(
      pieces.map(piece => {
        if (piece.length < HEADER_BYTES) return piece
        const fixed = Buffer.from(piece)
        const payload = fixed.subarray(HEADER_BYTES)
        fixed.writeUInt32LE(payload.length, 12)
        fixed.writeUInt32LE(checksumOf(payload), 16)
        fixed.writeInt32LE(~fixed.readInt32LE(0), 20)
        return fixed
      }),
    ),
  inner: mutateBytes,
})

const PACKETS = Buffer.concat([
  encode('CNXN', 0x0100_0001, 1_048_576, 'device::ro.product.name=sim;features=shell_v2,cmd'),
  encode('OPEN', 1, 0, 'shell,v2,raw:getprop\0'),
  encode('OKAY', 1, 7),
  encode('WRTE', 7, 1, Buffer.from([1, 3, 0, 0, 0, 0x61, 0x62, 0x63])),
  encode('CLSE', 7, 1),
])

const readPackets =
  (read: () => (chunk: Uint8Array) => { payload: Uint8Array; command: number }[]) => (pieces: readonly Buffer[]) => {
    const cut = read()
    const packets: { command: number; payload: string }[] = []
    try {
      for (const piece of pieces) {
        for (const { payload, ...rest } of cut(piece))
          packets.push({ ...rest, payload: Buffer.from(payload).toString('hex') })
      }
      return { packets, refused: false }
    } catch (error) {
      if (error instanceof PacketError) return { packets: [], refused: true }
      if (error instanceof Error && error.constructor === Error) return { packets: [], refused: true }
      throw error
    }
  }

export const adbPackets: Target = {
  name: 'adb-packets',
  seeds: [PACKETS, encode('AUTH', 1, 0, Buffer.alloc(20, 7))],
  mutate: oneOf(adbPieces, adbPieces, mutateBytes),
  open: stateless(input => {
    const read = expectSameInPieces(
      input,
      readPackets(() => packetReader()),
    )
    readPackets(devicePackets)([input])
    const written = Buffer.concat(
      packetReader()(read.refused ? Buffer.alloc(0) : input).flatMap(packet => [
        writeHeader(packet, checksumOf(packet.payload)),
        packet.payload,
      ]),
    )
    if (!read.refused) expectSame('what was written', readPackets(() => packetReader())([written]), read)
    return read.refused ? 'refused' : 'accepted'
  }),
}

const shellFrame = (id: number, data: string) => {
  const head = Buffer.alloc(5)
  head[0] = id
  head.writeUInt32LE(Buffer.byteLength(data), 1)
  return Buffer.concat([head, Buffer.from(data)])
}

export const shellFrames: Target = {
  name: 'adb-shell-frames',
  seeds: [Buffer.concat([shellFrame(1, 'out\n'), shellFrame(2, 'err'), shellFrame(3, '\0')])],
  mutate: mutateBytes,
  open: stateless(input => {
    const read = expectSameInPieces(input, pieces => {
      const said = { stdout: '', stderr: '', codes: [] as number[] }
      const take = shellReader({
        stdout: bytes => {
          said.stdout += Buffer.from(bytes).toString('hex')
        },
        stderr: bytes => {
          said.stderr += Buffer.from(bytes).toString('hex')
        },
        exit: code => void said.codes.push(code),
      })
      for (const piece of pieces) take(piece)
      return { ...said, codes: said.codes.slice(0, 1) }
    })
    expectThat(read.stdout.length + read.stderr.length <= 2 * input.length, 'more came out than went in')
    return read.codes.length > 0 ? 'accepted' : 'refused'
  }),
}

const socketOf = (input: Buffer): Socket => {
  const socket = new Duplex({ read: () => {}, write: (_, __, done) => done() })
  setImmediate(() => {
    socket.push(input)
    socket.push(null)
  })
  return Object.assign(socket, { destroySoon: () => socket.destroy() }) as unknown as Socket
}

export const adbServer: Target = {
  name: 'adb-server',
  seeds: ['OKAY0015emulator-5554\tdevice\n', 'FAIL000eno device found', 'OKAY', 'OKAY0000'],
  mutate: mutateText(['OKAY', 'FAIL', '0000', '0004', 'ffff', 'device', 'offline', '\t', '\n', 'no permissions']),
  open: stateless(async input => {
    const stream = serverStream(socketOf(input))
    try {
      await stream.readOkay()
      const devices = parseDeviceList(await stream.readString())
      expectThat(
        devices.every(({ serial }) => serial !== ''),
        'a device without a serial',
      )
      return 'accepted'
    } catch (error) {
      if (error instanceof ServerStreamError) return 'refused'
      if (error instanceof Error && error.constructor === Error) return 'refused'
      throw error
    } finally {
      stream.close()
    }
  }),
}

export const addresses: Target = {
  name: 'addresses',
  seeds: ['127.0.0.1:5555', '[::1]:5037', 'tcp:localhost:5037', 'localfilesystem:/tmp/adb.sock', 'phone.local'],
  mutate: mutateText(['tcp:', 'localfilesystem:', ':', '[', ']', '65535', '65536', '0', ',', '127.0.0.1', '::1']),
  open: stateless(input => {
    const text = input.toString('utf8')
    const found = hostAndPort(text)
    tcpDevices(text)
    serverAddress({ ADB_SERVER_SOCKET: text })
    serverAddress({ ANDROID_ADB_SERVER_ADDRESS: text, ANDROID_ADB_SERVER_PORT: '1' })
    serverAddress({ ANDROID_ADB_SERVER_PORT: text })
    if (found) expectThat(found.port >= 1 && found.port <= 65_535 && found.host !== '', `the address ${text}`)
    return found ? 'accepted' : 'refused'
  }),
}

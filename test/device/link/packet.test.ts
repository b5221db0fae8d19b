import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { calculateChecksum } from '@yume-chan/adb'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  COMMAND,
  checksumOf,
  EMPTY_PAYLOAD,
  HEADER_BYTES,
  type Packet,
  PacketError,
  packetReader,
  packetSocket,
  writeHeader,
} from '../../../src/device/link/packet.ts'
import { encode } from '../../support/adb/raw-adb-host.ts'
import { manualClock } from '../../support/manual-clock.ts'

const word = fc.integer({ min: 0, max: 0xffff_ffff })
const packet: fc.Arbitrary<Packet> = fc.record({
  command: word,
  arg0: word,
  arg1: word,
  payload: fc.uint8Array({ maxLength: 200 }),
})

const wire = (packets: readonly Packet[]) =>
  Buffer.concat(packets.flatMap(one => [writeHeader(one, checksumOf(one.payload)), one.payload]))

const plain = ({ payload, ...rest }: Packet) => ({ ...rest, payload: Buffer.from(payload).toString('hex') })

describe('packetReader', () => {
  test('reads the same packets however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 80 }),
        (packets, cuts) => {
          const bytes = wire(packets)
          const read = packetReader()
          const found: Packet[] = []
          let at = 0
          for (const cut of [...cuts, bytes.length]) {
            found.push(...read(bytes.subarray(at, at + cut)))
            at += cut
          }
          expect(found.map(plain)).toEqual(packets.map(plain))
        },
      ),
    )
  })

  test('refuses what is not a header, and a payload over the limit', () => {
    const broken = encode('OPEN', 1, 0, 'x')
    broken.writeUInt32LE(0, 20)
    expect(() => packetReader()(broken)).toThrow(PacketError)
    const huge = encode('OPEN', 1, 0)
    huge.writeUInt32LE(1_024 * 1_024 + 1, 12)
    expect(() => packetReader()(huge)).toThrow(PacketError)
  })
})

describe('writeHeader', () => {
  test('writes the header as the protocol has it', () => {
    const packet = { command: 0x4e45504f, arg0: 7, arg1: 0, payload: Buffer.from('shell:\0') }
    const header = writeHeader(packet, checksumOf(packet.payload))
    expect(header).toEqual(encode('OPEN', 7, 0, packet.payload).subarray(0, HEADER_BYTES))
  })

  test('sums bytes as the codec does', () => {
    fc.assert(fc.property(fc.uint8Array(), bytes => checksumOf(bytes) === calculateChecksum(bytes)))
  })
})

describe('an acknowledgement', () => {
  const start = () => {
    const clock = manualClock()
    const socket = new Socket()
    const writes: string[] = []
    const names = Object.fromEntries(Object.entries(COMMAND).map(([name, command]) => [command, name]))
    vi.spyOn(socket, 'write').mockImplementation(bytes => {
      writes.push(
        packetReader()(bytes as Buffer)
          .map(({ command }) => names[command] ?? '')
          .join(' '),
      )
      return true
    })
    const { send, delayAcknowledgements } = packetSocket(socket, { clock, onPacket: () => {}, onEnd: () => {} })
    const sendBare = (name: keyof typeof COMMAND) =>
      send({ command: COMMAND[name], arg0: 1, arg1: 2, payload: EMPTY_PAYLOAD }, 0)
    const settle = async () => {
      for (let turns = 0; turns < 4; turns++) await turn()
    }
    return { clock, writes, sendBare, delayAcknowledgements, settle }
  }

  test('leaves after what it has caused, together with others', async () => {
    const { writes, sendBare, settle } = start()
    sendBare('OKAY')
    sendBare('CLSE')
    expect(writes).toEqual([])
    await settle()
    expect(writes).toEqual(['OKAY CLSE'])
  })

  test('that may wait leaves with the next packet, or after 20 ms', async () => {
    const { clock, writes, sendBare, delayAcknowledgements, settle } = start()
    sendBare('OKAY')
    delayAcknowledgements()
    await settle()
    expect(writes).toEqual([])
    sendBare('WRTE')
    expect(writes).toEqual(['OKAY WRTE'])
    sendBare('OKAY')
    delayAcknowledgements()
    await settle()
    clock.advance(20)
    expect(writes).toEqual(['OKAY WRTE', 'OKAY'])
  })

  test('of another service does not wait with it', async () => {
    const { writes, sendBare, delayAcknowledgements, settle } = start()
    sendBare('OKAY')
    delayAcknowledgements()
    sendBare('OKAY')
    await settle()
    expect(writes).toEqual(['OKAY OKAY'])
  })
})

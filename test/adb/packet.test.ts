import { calculateChecksum } from '@yume-chan/adb'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checksumOf, HEADER_BYTES, type Packet, PacketError, packetReader, writeHeader } from '../../src/adb/packet.ts'
import { encode } from '../support/raw-adb-host.ts'

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

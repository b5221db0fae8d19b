/** The bytes on the wire, however they are cut: shell packets, debug packets, a file for the sync service. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDeviceList } from '../../../src/device/link/adb-server.ts'
import { devicePackets } from '../../../src/device/link/packet.ts'
import { syncWrites } from '../../../src/device/link/push-file.ts'
import { shellReader, stdinPackets } from '../../../src/device/link/run-command.ts'

/** Any cut of the bytes into pieces. */
const cut = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
  const ends = [...new Set(at.map(n => n % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
}
const cuts = fc.array(fc.nat(), { maxLength: 12 })

const shellPacket = (id: number, data: Uint8Array) => {
  const header = Buffer.alloc(5)
  header[0] = id
  header.writeUInt32LE(data.length, 1)
  return Buffer.concat([header, data])
}

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('shell packets', () => {
  test('any split gives the same output', () => {
    const packets = fc.array(fc.tuple(fc.constantFrom(1, 2, 9), fc.uint8Array({ maxLength: 40 })), { maxLength: 12 })
    fc.assert(
      fc.property(packets, fc.nat(255), cuts, (sent, code, at) => {
        const wire = Buffer.concat([
          ...sent.map(([id, data]) => shellPacket(id, data)),
          shellPacket(3, Uint8Array.of(code)),
        ])
        const seen: Record<'out' | 'err', Uint8Array[]> = { out: [], err: [] }
        let exit: number | undefined
        const read = shellReader({
          stdout: bytes => seen.out.push(Uint8Array.from(bytes)),
          stderr: bytes => seen.err.push(Uint8Array.from(bytes)),
          exit: is => {
            exit = is
          },
        })
        for (const piece of cut(wire, at)) read(piece)
        const expected = (id: number) => Buffer.concat(sent.filter(([is]) => is === id).map(([, data]) => data))
        expect(Buffer.concat(seen.out).equals(expected(1))).toBe(true)
        expect(Buffer.concat(seen.err).equals(expected(2))).toBe(true)
        expect(exit).toBe(code)
      }),
    )
  })

  test.each([0, 1, 65_536, 65_537, 200_000])('stdin of %i bytes is whole and closed', async size => {
    const content = Buffer.alloc(size, 7)
    const wire = Buffer.concat(await all(stdinPackets(content)))
    const parts: Buffer[] = []
    let closed = 0
    for (let at = 0; at < wire.length; ) {
      const length = wire.readUInt32LE(at + 1)
      if (wire[at] === 4) closed += 1
      else parts.push(wire.subarray(at + 5, at + 5 + length))
      at += 5 + length
    }
    expect(Buffer.concat(parts).equals(content)).toBe(true)
    expect(closed).toBe(1)
  })

  test('stdin leaves in few writes, however small the pieces are in which it comes', async () => {
    const large = await all(stdinPackets(Buffer.alloc(3_000_000)))
    expect(large.length).toBeLessThanOrEqual(3)
    const single = async function* () {
      for (let count = 0; count < 5_000; count += 1) yield Uint8Array.of(1)
    }
    const writes = await all(stdinPackets(single()))
    expect(writes.length).toBeLessThan(15)
    expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(10_000)
  })
})

const debugPacket = (command: number, data: Uint8Array) => {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(command, 0)
  header.writeUInt32LE(1, 4)
  header.writeUInt32LE(2, 8)
  header.writeUInt32LE(data.length, 12)
  header.writeUInt32LE((command ^ 0xffffffff) >>> 0, 20)
  return Buffer.concat([header, data])
}

describe('debug packets', () => {
  test('any split gives the same packets', () => {
    const packets = fc.array(fc.tuple(fc.nat(0x7fffffff), fc.uint8Array({ maxLength: 60 })), { maxLength: 8 })
    fc.assert(
      fc.property(packets, cuts, (sent, at) => {
        const read = devicePackets()
        const wire = Buffer.concat(sent.map(([command, data]) => debugPacket(command, data)))
        const seen = cut(wire, at).flatMap(piece => read(piece))
        expect(seen.map(({ command, arg0, arg1, payload }) => [command, arg0, arg1, ...payload])).toEqual(
          sent.map(([command, data]) => [command, 1, 2, ...data]),
        )
      }),
    )
  })

  test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-OpenSSH_9.2 and so on'])(
    '%j does not speak the adb protocol',
    said => {
      expect(() => devicePackets()(Buffer.from(said))).toThrow(/does not speak the adb protocol/)
    },
  )
  test('a length that nobody may send is not waited for', () => {
    const packet = debugPacket(0x45545257, new Uint8Array())
    packet.writeUInt32LE(0x7fffffff, 12)
    expect(() => devicePackets()(packet)).toThrow(/does not speak the adb protocol/)
  })
  test('a device that wants TLS says so', () => {
    expect(() => devicePackets()(debugPacket(0x534c5453, new Uint8Array()))).toThrow(/TLS/)
  })
})

describe('a file for the sync service', () => {
  test('a small one is a single write', async () => {
    const writes = await all(syncWrites({ path: '/x', content: Buffer.from('hello'), mtime: 5 }))
    expect(writes.length).toBe(1)
    expect(writes[0]?.toString('latin1')).toBe('SEND\x08\0\0\0/x,33188DATA\x05\0\0\0helloDONE\x05\0\0\0')
  })
  test('a large one goes in blocks of 64 KiB, in writes of about 1 MiB', async () => {
    const writes = await all(syncWrites({ path: '/x', content: Buffer.alloc(5_000_000), mtime: 0 }))
    expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(1_200_000)
    expect(Buffer.concat(writes).toString('latin1').split('DATA').length - 1).toBe(Math.ceil(5_000_000 / 65_536))
  })
})

describe('the listing of the server', () => {
  test('every state, and advice behind one', () => {
    const advice = 'no permissions (user in plugdev group; are your udev rules wrong?); see [http://x]'
    const text = `emulator-5554\tdevice\n10.0.0.1:5555\toffline\nR58\tunauthorized\n????\t${advice}\n`
    expect(parseDeviceList(text)).toEqual([
      { serial: 'emulator-5554', state: 'device' },
      { serial: '10.0.0.1:5555', state: 'offline' },
      { serial: 'R58', state: 'unauthorized' },
      { serial: '????', state: 'no permissions' },
    ])
  })
  test('a serial that cannot be one, and a state without end', () => {
    const lines = [`${'x'.repeat(300)}\tdevice`, 'a\u001b[2J\tdevice', `usb-1\t${'y'.repeat(60_000)}`, 'usb-2\tdevice']
    expect(parseDeviceList(lines.join('\n'))).toEqual([
      { serial: 'usb-1', state: 'y'.repeat(64) },
      { serial: 'usb-2', state: 'device' },
    ])
  })

  test('nothing', () => expect(parseDeviceList('')).toEqual([]))
})

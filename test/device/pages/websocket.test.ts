/** The WebSocket client against other sides that keep the protocol, and others. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PageProblem } from '../../../src/device/pages/page-problem.ts'
import { maskedFrame, openWebSocket } from '../../../src/device/pages/websocket.ts'
import { byteQueue } from '../../support/device/byte-queue.ts'

const SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const upgraded = (request: string) => {
  const key = /Sec-WebSocket-Key: (\S+)/.exec(request)?.[1]
  const accept = createHash('sha1').update(`${key}${SUFFIX}`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
}

/** The other side says this once it is connected. */
const connected = async (...said: (Buffer | string)[]) => {
  const output = byteQueue()
  const written: Buffer[] = []
  const socket = {
    chunks: output.chunks,
    close: () => output.end(),
    async write(bytes: Uint8Array) {
      written.push(Buffer.from(bytes))
      if (written.length > 1) return
      output.push(upgraded(Buffer.from(bytes).toString()))
      for (const each of said) output.push(each)
    },
  }
  const client = await openWebSocket(socket, '/devtools/page/A', { bytesMax: 300_000 })
  return { client, written, output }
}

const frame = (first: number, text: string) => Buffer.from([first, text.length, ...Buffer.from(text)])

const unmasked = (sent: Buffer) => {
  const short = (sent[1] ?? 0) & 0x7f
  const at = short === 126 ? 4 : short === 127 ? 10 : 2
  const mask = sent.subarray(at, at + 4)
  return Buffer.from(sent.subarray(at + 4).map((byte, index) => byte ^ (mask[index % 4] ?? 0))).toString()
}

describe('what is sent', () => {
  test.each([5, 200, 70_000])('a text of %d bytes is masked and has its length', async length => {
    const { client, written } = await connected()
    const text = 'é'.repeat(length)
    await client.send(text)
    const sent = written[1] ?? Buffer.alloc(0)
    expect(sent[0]).toBe(0x81)
    expect((sent[1] ?? 0) & 0x80).toBe(0x80)
    expect(unmasked(sent)).toBe(text)
  })

  test('the mask is applied byte by byte', () => {
    expect([...maskedFrame(1, Buffer.from([1, 2, 3, 4, 5]), Buffer.from([1, 1, 1, 1]))]).toEqual([
      0x81, 0x85, 1, 1, 1, 1, 0, 3, 2, 5, 4,
    ])
  })

  test('the handshake names no origin, for inspectors refuse those', async () => {
    const { written } = await connected()
    expect(written[0]?.toString()).not.toMatch(/origin/i)
    expect(written[0]?.toString()).toMatch(/^GET \/devtools\/page\/A HTTP\/1\.1\r\nHost: localhost\r\n/)
  })
})

describe('what is heard', () => {
  test('a text in parts, with a ping in between that is answered', async () => {
    const { client, written } = await connected(frame(0x01, 'one '), frame(0x89, 'hi'), frame(0x80, 'two'))
    expect(await client.receive()).toBe('one two')
    expect(written[1]?.[0]).toBe(0x8a)
    expect(unmasked(written[1] ?? Buffer.alloc(0))).toBe('hi')
  })

  test('frames that arrive byte by byte', async () => {
    const { client } = await connected(...[...frame(0x81, 'slow')].map(byte => Buffer.of(byte)))
    expect(await client.receive()).toBe('slow')
  })

  test.each([
    ['a gigabyte', Buffer.from([0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0]), 'it sends more than'],
    ['a masked frame', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65]), 'flags that nobody agreed on'],
    ['a reserved bit', Buffer.from([0xc1, 0]), 'flags that nobody agreed on'],
    ['a long ping', Buffer.from([0x89, 126, 1, 0]), 'a control frame is too long'],
    ['a part of nothing', frame(0x80, 'x'), 'out of order'],
    ['a text within a text', Buffer.concat([frame(0x01, 'a'), frame(0x81, 'b')]), 'out of order'],
    ['bytes instead of a text', frame(0x82, 'x'), 'a frame has the type 2'],
    ['a goodbye', frame(0x88, ''), 'it closed the connection'],
  ])('%s ends it', async (_name, bytes, reason) => {
    const { client } = await connected(bytes)
    await expect(client.receive()).rejects.toThrow(reason)
  })

  test('an end in the middle of a frame', async () => {
    const { client, output } = await connected(Buffer.from([0x81, 9, 65]))
    output.end()
    await expect(client.receive()).rejects.toThrow(PageProblem)
  })

  test('a text in parts of one byte each is given up early', async () => {
    const parts = Buffer.concat([frame(0x01, 'A'), ...Array.from({ length: 60_000 }, () => frame(0x00, 'A'))])
    const { client } = await connected(parts)
    await expect(client.receive()).rejects.toThrow('it sends more than 10000 frames')
  })

  test('many small texts are bounded together', async () => {
    const { client } = await connected(...Array.from({ length: 4_000 }, () => frame(0x81, 'x'.repeat(100))))
    const all = async () => {
      for (;;) await client.receive()
    }
    await expect(all()).rejects.toThrow('it sends more than')
  })
})

describe('a handshake', () => {
  const answered = (answer: string) => {
    const output = byteQueue()
    const write = async () => output.push(answer)
    return openWebSocket({ chunks: output.chunks, write, close: () => {} }, '/devtools/page/A', { bytesMax: 30_000 })
  }

  test.each([
    ['HTTP/1.1 101 OK\r\nSec-WebSocket-Accept: nonsense\r\n\r\n', 'another key'],
    ['HTTP/1.1 403 Forbidden\r\n\r\n', 'status 403'],
    ['SSH-2.0-OpenSSH\r\n\r\n', 'it does not answer in HTTP'],
    [`HTTP/1.1 101 ${'x'.repeat(20_000)}`, 'it sends more than 16 KiB'],
  ])('that is refused is said', async (answer, reason) => {
    await expect(answered(answer)).rejects.toThrow(reason)
  })

  test('to an address that would be a line of its own is not sent', async () => {
    const write = async () => expect.unreachable()
    const socket = { chunks: byteQueue().chunks, write, close: () => {} }
    const opening = openWebSocket(socket, '/a HTTP/1.1\r\nX: y', { bytesMax: 1_000 })
    await expect(opening).rejects.toThrow('an address that cannot be asked for')
  })
})

/** Reading a stream whose pieces have any size. */
import { expect, test } from 'vitest'
import { byteReader } from '../../../src/device/pages/byte-reader.ts'

const PACKET_BYTES = 64 * 1_024

/** Each byte is a piece of a packet of its own. */
const dripping = async function* (bytes: number) {
  for (let sent = 0; sent < bytes; sent++) yield new Uint8Array(PACKET_BYTES).fill(65).subarray(0, 1)
}

test('bytes that come one by one do not hold the packets that they came in', async () => {
  const bytes = 20_000
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const watched = async function* () {
    for await (const piece of dripping(bytes)) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      yield piece
    }
  }
  expect((await byteReader(watched(), bytes).toEnd()).toString()).toBe('A'.repeat(bytes))
  // All packets together have more than a gigabyte.
  expect(most).toBeLessThan((bytes * PACKET_BYTES) / 2)
})

test('what is read at once and what is left stay apart', async () => {
  const pieces = async function* () {
    yield Buffer.from('head\r\n')
    yield Buffer.from('\r\nabc')
    yield Buffer.from('x'.repeat(10_000))
  }
  const reader = byteReader(pieces(), 20_000)
  const head = await reader.until('\r\n\r\n', 100)
  const three = await reader.exactly(3)
  expect((await reader.toEnd()).length).toBe(10_000)
  expect([head.toString(), three.toString()]).toEqual(['head', 'abc'])
})

test('a delimiter that comes too late is refused', async () => {
  const pieces = async function* () {
    yield Buffer.from(`${'x'.repeat(2_000)}\n`)
  }
  await expect(byteReader(pieces(), 20_000).until('\n', 1_024)).rejects.toThrow('it sends more than 1 KiB')
})

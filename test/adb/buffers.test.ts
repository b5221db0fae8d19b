/** What is read before anybody asks for it: all of it in order, but no more than fits. */
import { describe, expect, test } from 'vitest'
import { readAhead } from '../../src/adb/buffers.ts'

const settle = () => new Promise(resolve => setImmediate(resolve))

/** Gives these chunks, then the end. */
const source = (...chunks: readonly Uint8Array[]) => {
  let reads = 0
  return {
    read: async () => chunks[reads++],
    reads: () => reads,
  }
}
const take = async (from: AsyncIterable<Uint8Array>, count = Number.POSITIVE_INFINITY) => {
  const taken: Uint8Array[] = []
  for await (const chunk of from) {
    taken.push(chunk)
    if (taken.length === count) break
  }
  return taken.map(chunk => Buffer.from(chunk).toString())
}
const bytes = (text: string) => Buffer.from(text)

describe('reading', () => {
  test('begins before anybody takes', async () => {
    const { read, reads } = source(bytes('a'), bytes('b'))
    const ahead = readAhead(read)
    await settle()
    expect(reads()).toBe(3)
    expect(await take(ahead)).toEqual(['a', 'b'])
  })

  test('stops at the bound, and goes on when there is room', async () => {
    const half = Buffer.alloc(600 * 1024)
    const { read, reads } = source(half, half, half, half)
    const ahead = readAhead(read)
    await settle()
    expect(reads()).toBe(2)
    expect((await take(ahead)).length).toBe(4)
  })

  test('may stop and go on', async () => {
    const ahead = readAhead(source(bytes('a'), bytes(''), bytes('b'), bytes('c')).read)
    expect(await take(ahead, 1)).toEqual(['a'])
    expect(await take(ahead)).toEqual(['b', 'c'])
  })
})

describe('the end', () => {
  test('a failure comes after what was read before it', async () => {
    const ahead = readAhead(source(bytes('a'), bytes('b'), Buffer.alloc(2_000_000)).read)
    await settle()
    ahead.end(new Error('gone'))
    const taken: string[] = []
    const reading = async () => {
      for await (const chunk of ahead) taken.push(chunk.length === 1 ? Buffer.from(chunk).toString() : 'long')
    }
    await expect(reading()).rejects.toThrow('gone')
    expect(taken).toEqual(['a', 'b', 'long'])
  })

  test('a failed read is a failure', async () => {
    const ahead = readAhead(() => Promise.reject(new Error('broken')))
    await expect(take(ahead)).rejects.toThrow('broken')
  })

  test('a reader is released when it is closed', async () => {
    const ahead = readAhead(() => new Promise(() => {}))
    const taken = take(ahead)
    await settle()
    ahead.close()
    expect(await taken).toEqual([])
  })
})

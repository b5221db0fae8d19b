/** The chunks of a device between their arrival and their reader: all of them in order, and a bound for what is asked for. */
import { describe, expect, test } from 'vitest'
import { chunkQueue } from '../../../src/device/link/buffers.ts'

const MIB = 1_024 * 1_024
const bytes = (text: string) => Buffer.from(text)

const queueOf = (...chunks: readonly Uint8Array[]) => {
  let reads = 0
  const queue = chunkQueue(() => {
    reads += 1
  })
  for (const chunk of chunks) queue.push(chunk)
  return { queue, reads: () => reads }
}
const take = async ({ read }: Pick<ReturnType<typeof chunkQueue>, 'read'>) => {
  const taken: string[] = []
  for (let chunk = await read(); chunk; chunk = await read()) taken.push(Buffer.from(chunk).toString())
  return taken
}

describe('reading', () => {
  test('gives what came before it, and what comes while it waits', async () => {
    const { queue } = queueOf(bytes('a'), bytes(''), bytes('b'))
    const taken = take(queue)
    await Promise.resolve()
    queue.push(bytes('c'))
    queue.end()
    expect(await taken).toEqual(['a', 'b', 'c'])
  })

  test('is full beyond the bound, and asks for more when there is room', async () => {
    const { queue, reads } = queueOf(Buffer.alloc(MIB), Buffer.alloc(MIB))
    expect(queue.isFull()).toBe(false)
    queue.push(Buffer.alloc(MIB))
    expect(queue.isFull()).toBe(true)
    await queue.read()
    expect([queue.isFull(), reads()]).toEqual([false, 1])
  })
})

describe('the end', () => {
  test('comes after what waited to be read', async () => {
    const { queue } = queueOf(bytes('a'), bytes('b'))
    queue.end()
    queue.push(bytes('late'))
    expect(await take(queue)).toEqual(['a', 'b'])
  })

  test('releases a reader that waits', async () => {
    const { queue } = queueOf()
    const taken = take(queue)
    queue.end()
    expect(await taken).toEqual([])
  })

  test('comes at once when the queue is closed', async () => {
    const { queue } = queueOf(bytes('a'))
    queue.close()
    expect(await take(queue)).toEqual([])
  })
})

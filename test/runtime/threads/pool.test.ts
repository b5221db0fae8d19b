/** Threads: every task ends, whatever becomes of the thread that does it. */
import { afterEach, describe, expect, test } from 'vitest'
import { createPool, type Pool } from '../../../src/runtime/threads/pool.ts'
import type { Task } from '../../programs/pool-thread.ts'
import { programPath } from '../../support/run-program.ts'
import { wait } from '../../support/until.ts'

let pool: Pool<Task, number>
afterEach(() => pool.close())

const open = (threads: number) => {
  pool = createPool<Task, number>({ file: programPath('pool-thread'), name: 'doTask', threads })
  return pool
}
const never = () => new AbortController().signal
const double = (value: number) => pool.run({ do: 'double', value }, never())

test('more tasks than threads are done in turn, each once', async () => {
  open(2)
  const values = Array.from({ length: 50 }, (_, index) => index)
  expect(await Promise.all(values.map(double))).toEqual(values.map(value => 2 * value))
})

describe('a task that does not end well', () => {
  test('says so, and its thread goes on', async () => {
    open(1)
    await expect(pool.run({ do: 'throw', value: 3 }, never())).rejects.toThrow('no 3')
    expect(await double(4)).toBe(8)
  })

  test('is not waited for longer than its signal says when its thread has ended itself', async () => {
    open(2)
    await expect(pool.run({ do: 'die', value: 3 }, AbortSignal.timeout(300))).rejects.toThrow('was cancelled')
    expect(await double(5)).toBe(10)
  })

  test('is given up with its thread when its signal says so', async () => {
    open(1)
    const stop = new AbortController()
    const hanging = pool.run({ do: 'hang', value: 0 }, stop.signal)
    const next = double(6)
    await wait(50)
    stop.abort()
    await expect(hanging).rejects.toThrow('was cancelled')
    expect(await next).toBe(12)
  })

  test('and one that has not begun is just not done', async () => {
    open(1)
    const stop = new AbortController()
    const first = double(1)
    const waiting = pool.run({ do: 'die', value: 1 }, stop.signal)
    stop.abort()
    await expect(waiting).rejects.toThrow('was cancelled')
    expect(await first).toBe(2)
    await expect(pool.run({ do: 'double', value: 1 }, stop.signal)).rejects.toThrow('was cancelled')
  })
})

test('closing ends what is under way and what waits', async () => {
  open(1)
  const tasks = [pool.run({ do: 'hang', value: 0 }, never()), double(1)]
  const settled = Promise.allSettled(tasks)
  await pool.close()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(double(1)).rejects.toThrow('was cancelled')
})

test('a bundle that is not there is a task that fails', async () => {
  pool = createPool<Task, number>({ file: '/no/such/thread.js', name: 'doTask', threads: 1 })
  await expect(double(1)).rejects.toThrow('/no/such/thread.js')
})

/** The system clock: a gap in time, and a wall clock that is set, change no deadline that was agreed on. */
import { spawn } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { until } from '../support/until.ts'

const clock = systemClock()

afterEach(() => void vi.restoreAllMocks())

/** As if the process had been stopped: nothing runs, and what arrives stays in the kernel. */
const stopFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

describe('after a gap', () => {
  /** Says `word` after 300 ms, and a second one when it is asked for it. */
  const talker = () => spawn('sh', ['-c', 'sleep 0.3; echo one; read line; echo two'])

  test.each([
    ['in the middle of it', 1_000],
    ['right before its end', 1_990],
    ['right after it', 2_010],
  ])('what came meanwhile is read first, by a deadline %s', async (_, deadlineMs) => {
    const child = talker()
    const heard: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard.push(text.trim())
      if (heard.length === 1) child.stdin.write('\n')
    })
    const ended = new Promise(resolve => child.on('close', resolve))
    await pause(clock, 1)
    clock.at(clock.now() + deadlineMs, () => heard.push('deadline'))
    stopFor(2_000)
    await until(() => heard.includes('deadline'), 'the deadline')
    expect(heard).toEqual(['one', 'two', 'deadline'])
    await ended
  })

  test('a time that is past already is not a gap', async () => {
    const order: string[] = []
    clock.at(clock.now() - 3_600_000, () => order.push('past'))
    setTimeout(() => order.push('later'), 200)
    await until(() => order.length === 2, 'both')
    expect(order).toEqual(['past', 'later'])
  })

  test('a timer that is cancelled in its grace is not called', async () => {
    const called = vi.fn()
    const timer = clock.at(clock.now() + 10, called)
    stopFor(600)
    await pause(clock, 0)
    timer.cancel()
    await pause(clock, 900)
    expect(called).not.toHaveBeenCalled()
  })
})

describe('a wall clock that is set', () => {
  const setBy = (ms: number) => {
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)
  }

  test('forward fires no deadline early', async () => {
    const order: string[] = []
    clock.at(clock.now() + 600, () => order.push('deadline'))
    setBy(3_600_000)
    setTimeout(() => order.push('before'), 100)
    await until(() => order.length === 2, 'both')
    expect(order).toEqual(['before', 'deadline'])
  })

  test('back makes no wait endless', async () => {
    const called = vi.fn()
    clock.at(clock.now() + 1_300, called)
    setBy(-3_600_000)
    await until(() => called.mock.calls.length > 0, 'the deadline')
  })
})

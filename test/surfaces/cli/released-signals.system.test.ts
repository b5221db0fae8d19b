/** Signals between the answer of a daemon and its print: the answer is printed, and a pipe that hangs can be ended. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processSignals } from '../../../src/surfaces/cli/process.ts'

const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Listeners = readonly ((...args: unknown[]) => void)[]

/** A release takes the listeners of the whole process away, those of the test runner included. */
let before: (readonly [(typeof NAMES)[number], Listeners])[]
beforeEach(() => {
  before = NAMES.map(name => [name, process.listeners(name) as unknown as Listeners] as const)
  for (const name of NAMES) process.removeAllListeners(name)
})
afterEach(() => {
  for (const [name, listeners] of before) {
    process.removeAllListeners(name)
    for (const listener of listeners) process.on(name, listener)
  }
})

const listening = () => NAMES.map(name => process.listenerCount(name))

test('handlers stay until the write, which may block then', () => {
  const signals = processSignals()
  signals.signal()
  signals.releaseAtWrite()
  expect(listening()).toEqual([1, 1, 1])
  expect(signals.beforeWrite()).toBeUndefined()
  expect(listening()).toEqual([0, 0, 0])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s between answer and print: the print goes on in a way that a second signal can end', (name, code) => {
  const signals = processSignals()
  const signal = signals.signal()
  signals.releaseAtWrite()
  process.emit(name, name)
  expect([signal.aborted, signals.code()]).toEqual([true, code])
  // With the signal, the write does not block the process: it goes by the stream, and the handlers stay.
  expect(signals.beforeWrite()).toBe(signal)
  expect(listening()).toEqual([1, 1, 1])
})

test('without a release, a write never blocks the handlers; without handlers it always may', () => {
  const signals = processSignals()
  expect(signals.beforeWrite()).toBeUndefined()
  const signal = signals.signal()
  expect(signals.beforeWrite()).toBe(signal)
})

/** An abortion reaches all who wait for it, however they wait. */
import { expect, test } from 'vitest'
import { createAbortion, unlessAborted } from '../../src/runtime/abortion.ts'

test('an abortion is told once to all who wait, by a call or by a signal made before or after', () => {
  const abortion = createAbortion('over')
  const calls: string[] = []
  const early = abortion.signal
  abortion.onAbort(() => calls.push('first'))
  abortion.onAbort(() => calls.push('taken back'))()
  expect([abortion.aborted, early.aborted]).toEqual([false, false])
  abortion.abort()
  abortion.abort()
  abortion.onAbort(() => calls.push('late'))
  expect(calls).toEqual(['first', 'late'])
  expect([abortion.aborted, early.reason, abortion.signal === early]).toEqual([true, 'over', true])
  const late = createAbortion('over')
  late.abort()
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, 'over'])
})

test('a promise is waited for until it settles or is aborted', async () => {
  const abortion = createAbortion('over')
  const waiting = unlessAborted(new Promise(() => {}), abortion)
  const failing = unlessAborted(Promise.reject(new Error('broken')), abortion)
  expect(await unlessAborted(Promise.resolve(1), abortion)).toBe(1)
  await expect(failing).rejects.toThrow('broken')
  abortion.abort()
  expect(await waiting).toBeUndefined()
  expect(await unlessAborted(Promise.resolve(1), abortion)).toBeUndefined()
})

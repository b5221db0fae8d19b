/** A pattern of a caller takes its time in a thread: whoever else the process serves is served meanwhile. */
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { createPatterns, type Patterns } from '../../src/device/patterns.ts'
import { isPlainMatch, matchPattern } from '../../src/device/screen/patterns/pattern.ts'
import { wait } from '../support/until.ts'

let patterns: Patterns
afterEach(() => patterns?.close())

const THREAD = fileURLToPath(new URL('../../dist/threads/pattern.js', import.meta.url))

const inThreads = () => {
  patterns = createPatterns(THREAD)
  return patterns
}
const until = (leftMs = 60_000, signal = new AbortController().signal) => ({ leftMs, signal })
const EVIL = { pattern: '^(a+)+$', texts: [`${'a'.repeat(60)}!`] }
const TOO_LONG = `matching ${EVIL.pattern} took longer than 500 ms`

test('a pattern that needs exponential time holds nobody up, also when it is tried again', async () => {
  const { match } = inThreads()
  let turns = 0
  let isOver = false
  const served = (async () => {
    for (; !isOver; turns++) await wait(10)
  })()
  const answers = [await match(EVIL, until()), await match(EVIL, until())]
  isOver = true
  await served
  expect(answers).toEqual([TOO_LONG, TOO_LONG])
  expect(turns, 'turns of the event loop within a second of matching').toBeGreaterThan(10)
})

test('more of them than threads are answered in turn', async () => {
  const { match } = inThreads()
  expect(await Promise.all([1, 2, 3].map(() => match(EVIL, until())))).toEqual([TOO_LONG, TOO_LONG, TOO_LONG])
  expect(await match({ pattern: 'b+', texts: ['abb', 'c'] }, until())).toBe(1)
})

test('it ends with the time of the step, and with the signal, and the next one is matched', async () => {
  const { match } = inThreads()
  expect(await match(EVIL, until(1))).toBe(`${EVIL.pattern} was not matched in time`)
  await expect(match(EVIL, until(60_000, AbortSignal.timeout(50)))).rejects.toThrow()
  expect(await match({ pattern: '^(?:a|b)+$', texts: ['ab'] }, until())).toBe(-1)
})

describe('the answer is the same in a thread', () => {
  test.each([
    ['b+', ['abbc']],
    ['^b+', ['b', 'ab']],
    ['(', ['a']],
    ['a{2}', ['aa', 'a']],
  ])('%s', async (pattern, texts) => {
    expect(await inThreads().match({ pattern, texts }, until())).toEqual(matchPattern({ pattern, texts }))
  })
})

describe('what is matched at once', () => {
  test.each(['', 'Total', '^Total: \\d\\d\\.\\d\\d$', '[A-Z][0-9]', 'a.b', '\\$'])('%s', pattern => {
    expect(isPlainMatch({ pattern, texts: ['x'.repeat(10_000)] })).toBe(true)
  })
  test.each(['a+', 'a*', 'a?', 'a{2}', '(a)', 'a|b', '(?=a)', '\\1', '[a]+', '\\k', '[\\d]'])('not %s', pattern => {
    expect(isPlainMatch({ pattern, texts: ['x'] })).toBe(false)
  })
  test('nor over very much text', () => {
    const texts = Array.from({ length: 30 }, () => 'x'.repeat(10_000))
    expect(isPlainMatch({ pattern: 'Total', texts })).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { findPng } from '../../src/device/steps/take-screenshot.ts'
import { smallPng } from '../support/pictures/small-png.ts'

const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const text = (value: string) => new Uint8Array(Buffer.from(value))

describe('a whole picture', () => {
  test.each([
    ['alone', smallPng, smallPng],
    ['after a warning', join(text('[Warning] Multiple displays were found\n'), smallPng), smallPng],
    ['before something else', join(smallPng, text('\r\n')), smallPng],
    ['within a larger buffer', join(text('x'), smallPng).subarray(1), smallPng],
  ])('%s', (_name, bytes, png) => {
    const found = findPng(bytes)
    expect(found.ok && Buffer.from(found.png).equals(Buffer.from(png))).toBe(true)
  })
})

describe('no whole picture', () => {
  test('every proper beginning', () => {
    for (let length = 0; length < smallPng.length; length++)
      expect(findPng(smallPng.subarray(0, length)).ok).toBe(false)
  })

  test('a message instead', () => {
    expect(findPng(text('Error: cannot\u0000 open display'))).toEqual({
      ok: false,
      problem: 'the device did not send a PNG, but: Error: cannot open display',
    })
  })

  test('an end that says it is longer than what came', () => {
    const wrong = new Uint8Array(smallPng)
    wrong[smallPng.length - 9] = 5
    expect(findPng(wrong).ok).toBe(false)
  })

  test('a length that points beyond the end', () => {
    const wrong = new Uint8Array(smallPng)
    wrong.set([0xff, 0xff, 0xff, 0xff], 8)
    expect(findPng(wrong)).toMatchObject({ ok: false, problem: expect.stringContaining('cut off') })
  })
})

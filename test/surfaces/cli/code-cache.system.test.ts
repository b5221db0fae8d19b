/** Code is taken back for its own source and in its own Node only, and not with a single other byte. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openCode, sealCode } from '../../../src/surfaces/cli/code-cache.ts'

const source = Buffer.from('exports.a = 1')
const code = Buffer.from('some code of V8, of 31 characters')
const bytes = fc.uint8Array({ maxLength: 70 })

test('is taken back as it was', () => {
  fc.assert(
    fc.property(bytes, fc.uint8Array({ minLength: 1, maxLength: 70 }), (text, kept) => {
      expect(openCode(text, sealCode(text, kept))).toEqual(Buffer.from(kept))
    }),
  )
})

test('is refused with one byte changed, wherever it is', () => {
  const sealed = sealCode(source, code)
  for (let at = 0; at < sealed.length; at++) {
    const damaged = Buffer.from(sealed)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    expect(openCode(source, damaged), `byte ${at} of the code`).toBeUndefined()
  }
  for (let at = 0; at < source.length; at++) {
    const edited = Buffer.from(source)
    edited[at] = (edited[at] ?? 0) ^ 1
    expect(openCode(edited, sealed), `byte ${at} of the source`).toBeUndefined()
  }
})

test('is refused when it was cut off', () => {
  const sealed = sealCode(source, code)
  for (let length = 0; length < sealed.length; length++)
    expect(openCode(source, sealed.subarray(0, length))).toBeUndefined()
})

test.each(['version', 'platform', 'arch', 'execPath'] as const)('is refused by a Node of another %s', what => {
  const sealed = sealCode(source, code)
  const own = Object.getOwnPropertyDescriptor(process, what)
  if (!own) throw new Error(`process has no ${what}`)
  Object.defineProperty(process, what, { ...own, value: what === 'execPath' ? import.meta.filename : 'other' })
  try {
    expect(openCode(source, sealed)).toBeUndefined()
    expect(openCode(source, sealCode(source, code))).toEqual(code)
  } finally {
    Object.defineProperty(process, what, own)
  }
})

/** Code is taken back for its own source and in its own Node only, and not with a single other byte. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeOrigin, nodeBuild, openCode, sealCode } from '../../../src/surfaces/cli/code-cache.ts'

const source = Buffer.from('exports.a = 1')
const code = Buffer.from('some code of V8, of 31 characters')
const build = nodeBuild()
const bytes = fc.uint8Array({ maxLength: 70 })

const originOf = (text: Uint8Array = source) => codeOrigin(text, build)
const sealed = (text: Uint8Array = source, kept: Uint8Array = code) => Buffer.concat(sealCode(kept, originOf(text)))

test('is taken back as it was', () => {
  fc.assert(
    fc.property(bytes, fc.uint8Array({ minLength: 1, maxLength: 70 }), (text, kept) => {
      expect(openCode(sealed(text, kept), originOf(text))).toEqual(Buffer.from(kept))
    }),
  )
})

test('is refused with one byte changed, wherever it is', () => {
  for (let at = 0; at < sealed().length; at++) {
    const damaged = sealed()
    damaged[at] = (damaged[at] ?? 0) ^ 1
    expect(openCode(damaged, originOf()), `byte ${at} of the code`).toBeUndefined()
  }
  for (let at = 0; at < source.length; at++) {
    const edited = Buffer.from(source)
    edited[at] = (edited[at] ?? 0) ^ 1
    expect(openCode(sealed(), originOf(edited)), `byte ${at} of the source`).toBeUndefined()
  }
})

test('is refused when it was cut off', () => {
  for (let length = 0; length < sealed().length; length++)
    expect(openCode(sealed().subarray(0, length), originOf())).toBeUndefined()
})

test.each(['version', 'platform', 'arch', 'execPath', 'execArgv'] as const)(
  'is refused by a Node of another %s',
  what => {
    const own = Object.getOwnPropertyDescriptor(process, what)
    if (!own) throw new Error(`process has no ${what}`)
    const value = { execPath: import.meta.filename, execArgv: ['--jitless'] }[what as string] ?? 'other'
    Object.defineProperty(process, what, { ...own, value })
    try {
      expect(openCode(sealed(), codeOrigin(source, nodeBuild()))).toBeUndefined()
    } finally {
      Object.defineProperty(process, what, own)
    }
    expect(openCode(sealed(), codeOrigin(source, nodeBuild()))).toEqual(code)
  },
)

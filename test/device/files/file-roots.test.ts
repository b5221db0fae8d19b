import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWithinRoots, pathInRoots } from '../../../src/device/files/file-roots.ts'

let base = ''
const at = (...parts: string[]) => join(base, ...parts)

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-roots-')))
  mkdirSync(at('open', 'deep'), { recursive: true })
  mkdirSync(at('openly'))
  mkdirSync(at('secret'))
  writeFileSync(at('secret', 'key'), 'k')
  symlinkSync(at('secret'), at('open', 'out'))
  symlinkSync(at('open', 'deep'), at('open', 'in'))
  symlinkSync(at('nowhere'), at('open', 'dangling'))
  symlinkSync(at('open'), at('alias'))
})
afterAll(() => rmSync(base, { recursive: true }))

describe('a path below the roots', () => {
  test('is the real one, whichever way it was named', async () => {
    const roots = [at('alias')]
    for (const named of [at('open', 'new'), at('alias', 'new'), at('open', 'deep', '..', 'new')])
      expect(await pathInRoots(named, roots)).toEqual({ ok: true, path: at('open', 'new') })
    expect(await pathInRoots(at('open', 'in', 'a', 'b'), roots)).toEqual({
      ok: true,
      path: at('open', 'deep', 'a', 'b'),
    })
    expect(await pathInRoots(at('open'), roots)).toEqual({ ok: true, path: at('open') })
  })

  test.each([
    ['a folder beside with the same beginning', ['openly', 'x']],
    ['dots', ['open', '..', 'secret', 'key']],
    ['a link to elsewhere', ['open', 'out', 'key']],
    ['a link to nowhere, which may lead anywhere later', ['open', 'dangling', 'x']],
    ['a folder above', []],
  ])('is no path by %s', async (_, parts) => {
    expect(await pathInRoots(at(...parts), [at('open')])).toMatchObject({
      ok: false,
      problem: expect.stringContaining('open'),
    })
  })

  test('is none without roots, or with one that is not there', async () => {
    expect((await pathInRoots(at('open', 'x'), [])).ok).toBe(false)
    expect((await pathInRoots(at('gone', 'x'), [at('gone')])).ok).toBe(false)
  })

  test('is any path for a caller without bounds, with its folders resolved', async () => {
    expect(await pathInRoots(at('open', 'out', 'key'), undefined)).toEqual({ ok: true, path: at('secret', 'key') })
    expect((await pathInRoots('/a\0b', undefined)).ok).toBe(false)
  })

  test('the root of the file system opens everything', async () => {
    expect(await isWithinRoots(at('secret', 'key'), ['/'])).toBe(true)
  })
})

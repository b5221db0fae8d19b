/** What other users could read or change becomes its owner's alone, and nothing else of it changes. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isLooseAt, isLooseTree, makeOwnerOnly, makeTreeOwnerOnly } from '../../../src/runtime/files/owner-only.ts'
import { temporary } from '../../support/temporary.ts'

const root = temporary('svc-owner-only-')
const folder = () => mkdtempSync(join(root(), 'in-'))
const fileIn = (place: string, name: string, mode: number) => {
  const path = join(place, name)
  writeFileSync(path, name)
  chmodSync(path, mode)
  return path
}
const modeOf = (path: string) => statSync(path).mode & 0o7777

test.each([
  [0o666, 0o600],
  [0o755, 0o700],
  [0o440, 0o400],
  [0o601, 0o600],
  [0o600, 0o600],
])('a file of mode %o is left with %o', (before, after) => {
  const path = fileIn(folder(), 'file', before)
  expect(isLooseAt(path)).toBe(before !== after)
  makeOwnerOnly(path)
  expect(modeOf(path)).toBe(after)
  expect(isLooseAt(path)).toBe(false)
})

test('a tree is taken with everything in it, and a link in it leads nowhere else', () => {
  const [place, outside] = [folder(), folder()]
  const inner = join(place, 'inner')
  mkdirSync(inner)
  const [file, foreign] = [fileIn(inner, 'file', 0o644), fileIn(outside, 'foreign', 0o644)]
  symlinkSync(foreign, join(inner, 'link'))
  symlinkSync(outside, join(inner, 'linked-folder'))
  chmodSync(inner, 0o700)
  expect(isLooseAt(place)).toBe(false)
  expect(isLooseTree(place)).toBe(true)
  makeTreeOwnerOnly(place)
  expect([place, inner, file].map(modeOf)).toEqual([0o700, 0o700, 0o600])
  expect(modeOf(foreign)).toBe(0o644)
  expect(isLooseTree(place)).toBe(false)
})

test('what is not there, and what is no file or folder, is nothing to change', () => {
  const place = folder()
  symlinkSync(fileIn(place, 'file', 0o644), join(place, 'link'))
  expect([isLooseTree(join(place, 'absent')), isLooseAt(join(place, 'link'))]).toEqual([false, false])
  expect(() => makeTreeOwnerOnly(join(place, 'absent'))).not.toThrow()
})

test('what belongs to another user stays as it is', () => {
  const path = fileIn(folder(), 'file', 0o644)
  const other = vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1)
  onTestFinished(() => other.mockRestore())
  expect(isLooseTree(path)).toBe(false)
  makeTreeOwnerOnly(path)
  expect(modeOf(path)).toBe(0o644)
})

test.skipIf(!existsSync('/proc/self/fd'))('however much there is, no file is left open', () => {
  const place = folder()
  for (let index = 0; index < 50; index++) fileIn(place, `file-${index}`, 0o644)
  const opened = () => readdirSync('/proc/self/fd').length
  const before = opened()
  makeTreeOwnerOnly(place)
  expect(opened() - before).toBeLessThan(25)
})

/** State files are whole or absent, and nothing odd in their place holds svc up. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../src/runtime/files/make-folder.ts'
import { parseObject, readSmall, writeAtomically } from '../../../src/runtime/files/small-file.ts'
import { findProgram } from '../../../src/runtime/processes/find-program.ts'
import { temporary } from '../../support/temporary.ts'

const root = temporary('svc-small-file-')
const folder = () => mkdtempSync(join(root(), 'in-'))

test('a text is written whole, for its owner alone, over what was there', () => {
  const path = join(folder(), 'state.json')
  writeAtomically(path, '{"a":1}')
  writeAtomically(path, '{"a":2}')
  expect(readSmall(path)).toBe('{"a":2}')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a text that cannot be put in place leaves nothing beside it, and says why', () => {
  const place = folder()
  mkdirSync(join(place, 'taken', 'inner'), { recursive: true })
  expect(() => writeAtomically(join(place, 'taken'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(readdirSync(place)).toEqual(['taken'])
  expect(() => writeAtomically(join(place, 'absent', 'file'), 'text')).toThrow('ENOENT')
})

test('what is absent, too large, a link, a folder or a FIFO is not read', () => {
  const place = folder()
  const at = (name: string) => join(place, name)
  writeFileSync(at('large'), 'x'.repeat(64 * 1_024 + 1))
  writeFileSync(at('small'), 'x')
  symlinkSync(at('small'), at('link'))
  execFileSync('mkfifo', [at('fifo')])
  expect(['absent', 'large', 'link', '.', 'fifo', 'small/below'].map(name => readSmall(at(name)))).toEqual(
    Array(6).fill(undefined),
  )
  expect(readSmall(at('small'))).toBe('x')
})

test.each([undefined, '', '{', '[]', 'null', '7', '"text"'])('%s is no object', text => {
  expect(parseObject(text)).toBeUndefined()
  expect(parseObject('{"a":[1]}')).toEqual({ a: [1] })
})

test('a folder is made with those around it, for its owner alone, and stays as it is where it is there', () => {
  const path = join(folder(), 'a', 'b', 'c')
  makeFolder(path, 0o700)
  expect([path, join(path, '..')].map(each => statSync(each).mode & 0o777)).toEqual([0o700, 0o700])
  chmodSync(path, 0o750)
  makeFolder(path, 0o700)
  expect(statSync(path).mode & 0o777).toBe(0o750)
})

test('a folder below a file, or in the place of one, is not made', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file, 0o700)).toThrow('EEXIST')
  expect(() => makeFolder(join(file, 'below'), 0o700)).toThrow(/EEXIST|ENOTDIR/)
})

test('a program is found as a shell finds it, and never in the folder that svc was started in', () => {
  const [first, second] = [folder(), folder()]
  for (const [path, mode] of [
    [join(first, 'plain'), 0o644],
    [join(second, 'plain'), 0o755],
    [join(second, 'other'), 0o755],
  ] as const)
    writeFileSync(path, '', { mode })
  mkdirSync(join(first, 'other'))
  const path = `relative:.::${first}:${second}`
  expect(findProgram(['plain'], path)).toBe(join(second, 'plain'))
  expect(findProgram(['other'], path)).toBe(join(second, 'other'))
  expect(findProgram(['absent', 'other'], path)).toBe(join(second, 'other'))
  expect([findProgram(['absent'], path), findProgram(['plain'], undefined)]).toEqual([undefined, undefined])
  expect(findProgram(['package.json', 'dist'], '.')).toBeUndefined()
})

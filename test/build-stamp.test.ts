/** The build is reused only as long as neither its sources nor its outputs have changed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isStampFresh, writeStamp } from '../src/build/build-stamp.js'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true })
})

const write = (root: string, path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const built = () => {
  const root = `${mkdtempSync(join(tmpdir(), 'build-'))}/`
  roots.push(root)
  const sources = ['src/main.ts', 'machines/device/device.ts', 'statecharts/device.svg', 'test/programs/a.ts']
  const files = [...sources, 'docs/index.md', '.github/viewer.webp', 'package.json']
  for (const path of [...files, 'test/support/used.ts', 'dist/svc.cjs', 'dist/dev/bench.js']) write(root, path, path)
  writeStamp(root, ['src/main.ts', 'test/support/used.ts'])
  return root
}

test('a build without a stamp, or with half of one, is not reused', () => {
  const root = built()
  expect(isStampFresh(root)).toBe(true)
  write(root, 'dist/dev/stamp.json', '{"inputs":')
  expect(isStampFresh(root)).toBe(false)
  rmSync(join(root, 'dist/dev/stamp.json'))
  expect(isStampFresh(root)).toBe(false)
})

test.each([
  ['a source', 'src/main.ts'],
  ['a new source', 'src/new.ts'],
  ['a page of the documentation', 'docs/index.md'],
  ['a picture of the documentation', '.github/viewer.webp'],
  ['a file of the tests that a program imports', 'test/support/used.ts'],
  ['the packages', 'node_modules/.package-lock.json'],
  ['a file of the build', 'dist/svc.cjs'],
])('%s that has changed makes it build again', (_, path) => {
  const root = built()
  write(root, path, 'something else')
  expect(isStampFresh(root)).toBe(false)
})

test('a source or a file of the build that has gone makes it build again', () => {
  for (const path of ['test/support/used.ts', 'dist/dev/bench.js']) {
    const root = built()
    rmSync(join(root, path))
    expect(isStampFresh(root)).toBe(false)
  }
})

test('a test that no program imports does not', () => {
  const root = built()
  write(root, 'test/some.test.ts', 'test')
  expect(isStampFresh(root)).toBe(true)
})

/** Files that runs leave for callers: nothing leads them out of their folder, and nothing of another kind is replaced. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOutput, type OutputKind, readOutput, writeOutput } from '../../../src/device/files/output-file.ts'
import { smallPng } from '../../support/pictures/small-png.ts'
import { temporary } from '../../support/temporary.ts'

const root = temporary('svc-output-')
const PICTURE = Buffer.from(smallPng)
const VIDEO = Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('ftypmp42....more')])

const folders = () => {
  const base = realpathSync(mkdtempSync(join(root(), 'case-')))
  const folder = join(base, 'out')
  const elsewhere = join(base, 'elsewhere')
  mkdirSync(folder)
  mkdirSync(elsewhere)
  return { folder, elsewhere }
}

const outcome = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'written',
    (error: Error) => error.message,
  )

test('folders are made as they are missing, and nothing is left beside the file', async () => {
  const { folder } = folders()
  const path = join(folder, 'a/b/shot.png')
  await writeOutput({ folder, path, kind: 'picture' }, PICTURE)
  await writeOutput({ folder, path, kind: 'picture' }, { file: path })
  expect(readFileSync(path)).toEqual(PICTURE)
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['shot.png'])
  expect(await readOutput({ folder, path })).toEqual(PICTURE)
})

test.each<[string, string[], (folder: string, elsewhere: string) => void]>([
  ['its folder', ['a/x.png', 'a/new/y.png'], (folder, elsewhere) => symlinkSync(elsewhere, join(folder, 'a'))],
  ['a folder around it', ['a/elsewhere/x.png'], folder => symlinkSync('..', join(folder, 'a'))],
  ['a folder that is not there', ['a/x.png'], folder => symlinkSync('/nowhere/at/all', join(folder, 'a'))],
  ['its own name', ['x.png'], (folder, elsewhere) => symlinkSync(join(elsewhere, 'x.png'), join(folder, 'x.png'))],
])('a link out of the folder leads nothing there: %s', async (_, paths, link) => {
  const { folder, elsewhere } = folders()
  writeFileSync(join(elsewhere, 'x.png'), PICTURE)
  link(folder, elsewhere)
  for (const path of paths.map(name => join(folder, name))) {
    expect(await outcome(checkOutput({ folder, path, kind: 'picture' }))).not.toBe('written')
    expect(await outcome(writeOutput({ folder, path, kind: 'picture' }, 'other'))).not.toBe('written')
    expect(await readOutput({ folder, path }).catch(() => undefined)).toBeUndefined()
  }
  expect(readdirSync(elsewhere)).toEqual(['x.png'])
  expect(readFileSync(join(elsewhere, 'x.png'))).toEqual(PICTURE)
})

test('a link to another folder below is followed', async () => {
  const { folder } = folders()
  mkdirSync(join(folder, 'real'))
  symlinkSync('real', join(folder, 'a'))
  await writeOutput({ folder, path: join(folder, 'a/shot.png'), kind: 'picture' }, PICTURE)
  expect(existsSync(join(folder, 'real/shot.png'))).toBe(true)
})

test.each<[OutputKind, string, Buffer]>([
  ['picture', 'notes.png', PICTURE],
  ['video', 'notes.mp4', VIDEO],
])(
  'a text that is named like a %s is not replaced, and an empty file and one of the kind are',
  async (kind, name, content) => {
    const { folder } = folders()
    const path = join(folder, name)
    writeFileSync(path, 'months of work')
    expect(await outcome(checkOutput({ folder, path, kind }))).toContain('not replaced')
    expect(await outcome(writeOutput({ folder, path, kind }, content))).toContain('not replaced')
    expect(readFileSync(path, 'utf8')).toBe('months of work')
    for (const before of [Buffer.alloc(0), content]) {
      writeFileSync(path, before)
      await writeOutput({ folder, path, kind }, content)
      expect(readFileSync(path)).toEqual(content)
    }
  },
)

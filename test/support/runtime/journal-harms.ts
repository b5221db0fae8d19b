/** What may happen to the files of a journal: each takes the path of the database. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { markPath } from '../../../src/runtime/journal/mark.ts'
import { overwrite, PAGE_BYTES, pagesOf, tamper } from './damage.ts'

export type Harm = (path: string) => void

let seed = 1
/** What the harms do at random is the same again after the same seed. */
export const seedHarms = (value: number): void => {
  seed = value
}
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return seed % below
}
const noise = (length: number) => Buffer.from(Array.from({ length }, () => random(256)))
const remove = (path: string, ...suffixes: string[]) => {
  for (const suffix of suffixes) rmSync(`${path}${suffix}`, { recursive: true, force: true })
}
const anyPage = (path: string) => 1 + random(pagesOf(path) - 1)
const swap = (path: string, a: number, b: number) => {
  const bytes = readFileSync(path)
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    overwrite(path, to, bytes.subarray(from * PAGE_BYTES, (from + 1) * PAGE_BYTES))
  }
}
const otherDatabase = (path: string, version: number) => {
  remove(path, '')
  tamper(path, `CREATE TABLE other (a); PRAGMA user_version = ${version}`)
}
const remark = (path: string, seq: string) =>
  writeFileSync(markPath(path), readFileSync(markPath(path), 'latin1').replace(/\d{16}/g, seq.padStart(16, '0')))

/** What may be found in order depends on what the WAL still holds; these may not be. */
export const ALWAYS_DAMAGED: [string, Harm][] = [
  ['cut to 0 bytes', path => truncateSync(path, 0)],
  ['cut to 1 byte', path => truncateSync(path, 1)],
  ['cut to 1000 bytes', path => truncateSync(path, 1_000)],
  ['cut to one page', path => truncateSync(path, PAGE_BYTES)],
  ['cut in half', path => truncateSync(path, Math.floor(pagesOf(path) / 2) * PAGE_BYTES)],
  [
    'every page overwritten in part',
    path => {
      for (let page = 1; page < pagesOf(path); page++) overwrite(path, page, noise(30), random(4_000))
    },
  ],
  [
    'a directory in the place of the WAL',
    path => {
      remove(path, '-wal')
      mkdirSync(`${path}-wal`)
    },
  ],
  [
    'a directory in the place of the index of the WAL',
    path => {
      remove(path, '-shm')
      mkdirSync(`${path}-shm`)
    },
  ],
  [
    'a directory in the place of the mark',
    path => {
      rmSync(markPath(path))
      mkdirSync(markPath(path))
    },
  ],
  ['a mark far above', path => remark(path, '900000')],
  [
    'nothing left, and no mark',
    path => {
      remove(path, '-wal', '-shm')
      truncateSync(path, 0)
      rmSync(markPath(path))
    },
  ],
  [
    'a directory in the place of the file',
    path => {
      remove(path, '')
      mkdirSync(path)
    },
  ],
  [
    'a link that leads nowhere',
    path => {
      remove(path, '', '-wal', '-shm')
      symlinkSync('/nowhere/journal.db', path)
    },
  ],
  [
    'a link to itself',
    path => {
      remove(path, '')
      symlinkSync(path, path)
    },
  ],
  [
    'a device',
    path => {
      remove(path, '', '-wal', '-shm')
      symlinkSync('/dev/null', path)
    },
  ],
  [
    'another database',
    path => {
      remove(path, '-wal', '-shm')
      otherDatabase(path, 0)
    },
  ],
  ['another database with our version', path => otherDatabase(path, 1)],
  [
    'another database with a version above',
    path => {
      remove(path, '-wal', '-shm')
      otherDatabase(path, 7)
    },
  ],
  [
    'an empty file',
    path => {
      remove(path, '-wal', '-shm')
      writeFileSync(path, '')
    },
  ],
]

export const MAYBE_DAMAGED: [string, Harm][] = [
  ['nothing', () => {}],
  ['cut by one page', path => truncateSync(path, (pagesOf(path) - 1) * PAGE_BYTES)],
  ['cut within a page', path => truncateSync(path, (pagesOf(path) - 2) * PAGE_BYTES + 77)],
  ['longer than it was', path => truncateSync(path, (pagesOf(path) + 3) * PAGE_BYTES + 7)],
  ['text', path => writeFileSync(path, 'no database at all. '.repeat(500))],
  ...[0, 16, 18, 24, 28, 32, 36, 52, 60, 92, 100, 103, 108].map((offset): [string, Harm] => [
    `bytes ${offset} of the header overwritten`,
    path => overwrite(path, 0, noise(4), offset),
  ]),
  ['noise in place of a page', path => overwrite(path, anyPage(path), noise(PAGE_BYTES))],
  ['zeros in place of a page', path => overwrite(path, anyPage(path), Buffer.alloc(PAGE_BYTES))],
  ['two pages swapped', path => swap(path, anyPage(path), anyPage(path))],
  ['no WAL', path => remove(path, '-wal')],
  ['noise in place of the WAL', path => writeFileSync(`${path}-wal`, noise(50_000))],
  [
    'half of the WAL',
    path => existsSync(`${path}-wal`) && truncateSync(`${path}-wal`, statSync(`${path}-wal`).size >> 1),
  ],
  ['no index of the WAL', path => remove(path, '-shm')],
  ['noise in place of the index of the WAL', path => writeFileSync(`${path}-shm`, noise(32_768))],
  ['no mark', path => rmSync(markPath(path))],
  ['noise in place of the mark', path => writeFileSync(markPath(path), noise(80))],
  ['a mark that cannot be', path => remark(path, '9'.repeat(16))],
  [
    'a link to the file',
    path => {
      renameSync(path, `${path}.moved`)
      symlinkSync(`${path}.moved`, path)
    },
  ],
]

import { describe, expect, test } from 'vitest'
import { shellMayWrite } from '../../src/simulator/file-access.ts'
import { createFiles, FilesError, normalPath } from '../../src/simulator/files.ts'
import { manualClock } from '../support/manual-clock.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const names = (entries: readonly { name: string }[] | undefined) => entries?.map(({ name }) => name)

describe('paths', () => {
  test.each([
    ['/sdcard//a/./b/../c', '/sdcard/a/c'],
    ['/../../x', '/x'],
    ['/', '/'],
    ['/storage/emulated/0/DCIM', '/sdcard/DCIM'],
    ['/sdcard/../storage/emulated/0', '/sdcard'],
    ['/storage/emulated/01', '/storage/emulated/01'],
  ])('%s is %s', (given, wanted) => expect(normalPath(given)).toBe(wanted))

  test('a relative path starts in the folder', () => expect(normalPath('a/../b', '/sdcard')).toBe('/sdcard/b'))

  test.each([
    ['/sdcard/x', true],
    ['/data/local/tmp/x', true],
    ['/sdcard/../system/x', false],
    ['/sdcardx', false],
    ['/data/local/tmpx', false],
  ])('the shell may write %s: %s', (path, may) => expect(shellMayWrite(path)).toBe(may))
})

describe('createFiles', () => {
  const make = (limit?: number) =>
    createFiles({ clock: manualClock(), ...(limit === undefined ? {} : { bytes: limit }) })

  test('folders exist where a file is below them, or where one was made', () => {
    const files = make()
    files.write('/sdcard/a/b/c.txt', bytes('hi'), 0o100640)
    expect(files.read('/storage/emulated/0/a/b/c.txt')).toMatchObject({
      content: bytes('hi'),
      mode: 0o640,
      mtime: 1_000_000,
    })
    expect(names(files.list('/sdcard/a'))).toEqual(['b'])
    expect(files.list('/sdcard/a')?.[0]?.file).toBeUndefined()
    files.mkdir('/sdcard/empty')
    expect(files.list('/sdcard/empty')).toEqual([])
    expect(files.list('/sdcard/none')).toBeUndefined()
    expect(names(files.list('/'))).toEqual(expect.arrayContaining(['data', 'sdcard', 'system']))
  })

  test('removes files and empty folders only', () => {
    const files = make()
    files.write('/sdcard/a/f', bytes('x'))
    expect(files.remove('/sdcard/a')).toBe(false)
    expect(files.remove('/sdcard/a/f')).toBe(true)
    expect(files.remove('/sdcard/a/f')).toBe(false)
    expect(files.remove('/sdcard/a')).toBe(true)
    expect(files.list('/sdcard/a')).toBeUndefined()
  })

  test('a file is not a folder, and the other way round', () => {
    const files = make()
    files.write('/sdcard/f', bytes('x'))
    expect(() => files.write('/sdcard', bytes('x'))).toThrow(FilesError)
    expect(() => files.write('/sdcard/f/below', bytes('x'))).toThrow('Not a directory')
  })

  test('is full at its bound, and has room again after a removal', () => {
    const files = make(20_000)
    files.write('/sdcard/f', new Uint8Array(15_000))
    expect(() => files.write('/sdcard/g', new Uint8Array(5_000))).toThrow('No space left on device')
    files.write('/sdcard/f', new Uint8Array(10_000))
    files.remove('/sdcard/f')
    files.write('/sdcard/g', new Uint8Array(15_000))
    expect(() => {
      for (let at = 0; ; at++) files.write(`/sdcard/empty-${at}`, new Uint8Array())
    }).toThrow('No space left on device')
  })
})

/** Files that change: told by the system, or found by looking; what changed before anybody waited is not lost. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { createFileWatch } from '../../../../src/surfaces/cli/test/file-watch.ts'
import { temporary } from '../../../support/temporary.ts'

const home = temporary('svc-file-watch-')
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const opened = (folder: string, openWatch?: Parameters<typeof createFileWatch>[1]) => {
  const files = createFileWatch(systemClock(), openWatch)
  closing.push(files.close)
  mkdirSync(join(home(), folder))
  const path = (name: string) => join(home(), folder, name)
  writeFileSync(path('a.yaml'), 'a')
  writeFileSync(path('b.yaml'), 'b')
  return { files, path }
}
const never = new AbortController().signal

test('tells which file changed, also when an editor puts another one in its place', async () => {
  const { files, path } = opened('told')
  await files.follow([path('a.yaml'), path('b.yaml')], [])
  const first = files.changed(never)
  writeFileSync(path('b.yaml'), 'longer')
  expect(await first).toEqual([path('b.yaml')])
  writeFileSync(path('new'), 'a')
  const second = files.changed(never)
  renameSync(path('new'), path('a.yaml'))
  expect(await second).toEqual([path('a.yaml')])
})

test('a change between two waits is told by the next one', async () => {
  const { files, path } = opened('between')
  await files.follow([path('a.yaml')], [])
  writeFileSync(path('a.yaml'), 'longer')
  await files.follow([path('a.yaml'), path('b.yaml')], [])
  expect(await files.changed(never)).toEqual([path('a.yaml')])
})

test('a folder changes with the flows that it holds', async () => {
  const { files, path } = opened('folder')
  await files.follow([path('a.yaml')], [path('')])
  writeFileSync(path('note.txt'), 'no flow')
  const changed = files.changed(never)
  writeFileSync(path('c.yaml'), 'c')
  expect(await changed).toEqual([path('')])
})

test('where the system refuses to tell, the files are looked at', async () => {
  const { files, path } = opened('untold', () => {
    throw new Error('ENOSPC')
  })
  await files.follow([path('a.yaml')], [])
  const changed = files.changed(never)
  writeFileSync(path('a.yaml'), 'longer')
  expect(await changed).toEqual([path('a.yaml')])
})

test('a signal ends the wait', async () => {
  const { files, path } = opened('signal')
  await files.follow([path('a.yaml')], [])
  const stop = new AbortController()
  const changed = files.changed(stop.signal)
  stop.abort()
  expect(await changed).toEqual([])
})

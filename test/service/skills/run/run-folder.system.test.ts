/** Where the folder of a run is, and that what a dead process left is taken away. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRunFolder, removeLeftRunFolders, runFolderPlaces } from '../../../../src/service/skills/run/run-folder.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-run-folders-')

test('the home comes first, and no place is taken whose path a shell would take apart', () => {
  expect(runFolderPlaces('/home/u/.svc', '/fast')).toEqual(['/home/u/.svc/runs', '/fast', '/tmp', '/var/tmp'])
  for (const path of ['/a b', "/it's", '/a"b', '/a\nb', '/a*', '/a[b]', '/a$b', '/a;b', '/ä', 'relative', '']) {
    expect(runFolderPlaces(path, path)).toEqual(['/tmp', '/var/tmp'])
  }
})

test('what a process left that is gone is removed, what belongs to a living one and what is not ours stays', () => {
  const place = folder()
  const starts: Record<number, string> = { 1: 'boot:11', 2: 'boot:22', [process.pid]: 'boot:1' }
  const make = (pid: number, started: string, runId: string) =>
    makeRunFolder({ places: [place], runId, owner: { pid, started }, programs: { svc: '#!/bin/sh\n' } }).path
  const living = make(1, 'boot:11', 'a')
  const [reused, gone] = [make(2, 'boot:21', 'b'), make(3, 'boot:33', 'c')]
  const kept = [join(place, 'svc-run-notes'), join(place, 'svc-run-3-0123456789ab-link')]
  mkdirSync(kept[0] ?? '')
  symlinkSync(living, kept[1] ?? '')
  writeFileSync(join(place, 'other'), '')
  const far = make(9, 'other:99', 'd')
  const [now, places] = [Date.now(), [join(place, 'missing'), place]]
  removeLeftRunFolders(places, pid => starts[pid], now)
  expect(existsSync(far), 'its process cannot be seen from here').toBe(true)
  utimesSync(far, 1, 1)
  removeLeftRunFolders(places, pid => starts[pid], now)
  expect(existsSync(far)).toBe(false)
  expect([reused, gone].map(existsSync)).toEqual([false, false])
  expect(
    readdirSync(place)
      .map(name => join(place, name))
      .sort(),
  ).toEqual([living, ...kept, join(place, 'other')].sort())
  expect(existsSync(join(living, 'svc'))).toBe(true)
})

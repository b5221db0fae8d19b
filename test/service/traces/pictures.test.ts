/** Pictures of looks: the newest stay, and nothing that is not one of them goes. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pruneLooks } from '../../../src/service/traces/pictures.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-looks-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const nameOf = (index: number) => `00000000-0000-7000-8000-00000000000${index}.1.png`

test('only the newest stay', async () => {
  for (const index of [3, 1, 2, 4]) {
    writeFileSync(join(folder, nameOf(index)), 'x')
    utimesSync(join(folder, nameOf(index)), 1_000 + index, 1_000 + index)
  }
  for (const name of ['mine.png', 'notes.txt']) {
    writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, name), 1, 1)
  }
  await pruneLooks(folder, String, 2)
  expect(readdirSync(folder).sort()).toEqual([nameOf(3), nameOf(4), 'mine.png', 'notes.txt'].sort())
})

test('a folder that does not exist has nothing to delete', () => {
  const fail = (text: string) => {
    throw new Error(text)
  }
  return pruneLooks(join(folder, 'none'), fail)
})

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rightsAt } from '../../src/runtime/file-rights.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-rights-')

test("below the folder of svc a file is its user's alone, whichever way leads there", () => {
  const home = join(folder(), 'home')
  mkdirSync(join(home, 'pictures'), { recursive: true })
  symlinkSync(join(home, 'pictures'), join(folder(), 'link'))
  const fileAt = (...parts: string[]) => rightsAt(join(folder(), ...parts), home).file
  expect(fileAt('home', 'not', 'there', 'a.png')).toBe(0o600)
  expect(fileAt('link', 'a.png')).toBe(0o600)
  expect(fileAt('home', '..hidden')).toBe(0o600)
  expect(rightsAt(home, home).folder).toBe(0o700)
  expect(fileAt('home-of-another', 'a.png')).toBe(0o666)
  expect(fileAt('a.png')).toBe(0o666)
  expect(rightsAt(join(home, 'a.png'), undefined)).toEqual({ file: 0o666, folder: 0o777 })
})

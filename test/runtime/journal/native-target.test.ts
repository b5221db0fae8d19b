/** The build of SQLite that is loaded is the one that the package's own search would find. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { currentTarget, familySync, GLIBC, MUSL } from '../../../src/runtime/journal/native-target.ts'
import { temporary } from '../../support/temporary.ts'

const require = createRequire(import.meta.url)
const folder = temporary('svc-target-')

test('this machine is told apart as the package itself does', () => {
  const theirs = require('@neon-rs/load') as { currentTarget(): string }
  expect(currentTarget()).toBe(theirs.currentTarget())
  expect(require.resolve(`@libsql/${currentTarget()}`)).toContain(currentTarget())
})

test.skipIf(process.platform !== 'linux')('the C library is the one that is mapped', () => {
  const maps = (text: string) => {
    const path = join(folder(), 'maps')
    writeFileSync(path, text)
    return path
  }
  expect(familySync(maps('7f00-7f01 r--p 00000000 08:01 1 /lib/x86_64-linux-gnu/libc.so.6\n'))).toBe(GLIBC)
  expect(familySync(maps('7f00-7f01 r--p 00000000 08:01 1 /lib/ld-musl-x86_64.so.1\n'))).toBe(MUSL)
  expect(familySync(join(folder(), 'none'))).toBe(GLIBC)
})

/** Reading the APK of a session never waits for what is no file. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readAppFile } from '../../src/service/app-file.ts'
import { failureData } from '../../src/surfaces/webdriver/protocol/failure-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-app-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fifo = join(folder, 'fifo')
execFileSync('mkfifo', [fifo])

test.each([fifo, '/dev/zero', folder])('%s is refused at once, and the phone was asked for nothing', async path => {
  const read = await readAppFile(path, undefined)
  expect(read).toMatchObject({ ok: false, error: { code: 'FILE_REFUSED' } })
  if (!read.ok) expect(failureData(read.error)).toMatchObject({ dispatched: false })
})

test('neither was it for a file that is missing or no APK', async () => {
  for (const path of [join(folder, 'none.apk'), import.meta.filename]) {
    const read = await readAppFile(path, undefined)
    expect(read.ok ? undefined : failureData(read.error)).toMatchObject({ dispatched: false })
  }
})

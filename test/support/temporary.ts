/** A directory of its own for each test file, gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export const temporary = (prefix: string): (() => string) => {
  let folder: string | undefined
  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    folder ??= mkdtempSync(join(tmpdir(), prefix))
    return folder
  }
}

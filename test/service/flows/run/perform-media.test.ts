/** Files that a flow makes: a fault of the disk is no fault of the app. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeOutput } from '../../../../src/device/files/output-file.ts'
import { CommandFailed } from '../../../../src/service/flows/run/failure.ts'
import { writing } from '../../../../src/service/flows/run/perform-media.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-perform-media-')

const failureOf = async (path: string, work: () => Promise<void>) => {
  const error: unknown = await writing(path, work).catch(thrown => thrown)
  if (!(error instanceof CommandFailed)) throw error
  return { code: error.error.code, isOfApp: error.isOfApp }
}

const refusing = (code: string) => async () => {
  throw Object.assign(new Error(`${code}: as the system says it`), { code })
}

test('a full disk leaves the verdict open, and a place that may not be written is a failure', async () => {
  const path = join(folder(), 'shots', 'one.png')
  expect(await failureOf(path, refusing('ENOSPC'))).toEqual({ code: 'EVIDENCE_CAPTURE_FAILED', isOfApp: false })
  expect(await failureOf(path, refusing('EACCES'))).toEqual({ code: 'FILE_REFUSED', isOfApp: true })
})

test('what is there and is not a file is left alone', async () => {
  const root = folder()
  mkdirSync(join(root, 'taken'))
  symlinkSync('/dev/null', join(root, 'link'))
  for (const name of ['taken', 'link']) {
    const path = join(root, name)
    const write = () => writeOutput({ folder: root, path, kind: 'picture' }, 'x')
    expect(await failureOf(path, write)).toMatchObject({ code: 'FILE_REFUSED' })
  }
  expect(readdirSync(root).sort()).toEqual(['link', 'taken'])
})

/** The APK of the capability `app`: which application it holds, and in which version. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { readApkFile } from '../device/apk/read-apk.ts'
import { pathInRoots, ROOTS_HINT } from '../device/files/file-roots.ts'
import { isOpenWithin } from '../device/files/open-path.ts'
import { messageOf } from '../runtime/message-of.ts'

export type AppFileRead =
  | { readonly ok: true; readonly applicationId: string; readonly versionCode: number | undefined }
  | { readonly ok: false; readonly error: ErrorObject }

/** A FIFO without a writer is opened at once, and then seen to be no file. */
const OPENING = constants.O_RDONLY | constants.O_NONBLOCK

const refused = (
  code: 'FILE_REFUSED' | 'FILE_NOT_FOUND' | 'INSTALL_FAILED',
  message: string,
  hint?: string,
): AppFileRead => ({
  ok: false,
  // The phone is asked for nothing before its APK has been read.
  error: failure(code, message, { hint, details: { dispatched: false } }),
})

export const readAppFile = async (path: string, fileRoots: readonly string[] | undefined): Promise<AppFileRead> => {
  const place = await pathInRoots(path, fileRoots)
  if (!place.ok) return refused('FILE_REFUSED', `appium:app: ${place.problem}.`, ROOTS_HINT)
  const file = await open(place.path, OPENING).catch((error: NodeJS.ErrnoException) => error)
  if (file instanceof Error) {
    const code = file.code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'FILE_REFUSED'
    return refused(
      code,
      `appium:app cannot be read: ${messageOf(file)}.`,
      'Name the path of an APK on the machine of this server.',
    )
  }
  try {
    const stats = await file.stat()
    if (!stats.isFile())
      return refused('FILE_REFUSED', `appium:app ${path} is no plain file.`, 'Name the path of an APK.')
    if (!(await isOpenWithin(file, place.path, fileRoots)))
      return refused('FILE_REFUSED', `appium:app ${path} is not open to this caller any more.`, ROOTS_HINT)
    const read = await readApkFile(file, stats.size)
    if (!read.ok) return refused('INSTALL_FAILED', `appium:app ${path} is no APK: ${read.problem}.`)
    const { packageName, versionCode } = read.apk
    return {
      ok: true,
      applicationId: packageName,
      versionCode: versionCode === undefined ? undefined : Number(versionCode),
    }
  } finally {
    await file.close()
  }
}

/** Copies of files in the folder of a run, which is of its user alone whatever the umask. */
import { chmod, copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'

export const keepCopy = async (file: string, kept: string): Promise<void> => {
  makeFolder(dirname(kept), HOME_MODE)
  await copyFile(file, kept)
  await chmod(kept, STATE_FILE_MODE)
}

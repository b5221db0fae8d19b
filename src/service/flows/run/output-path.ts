/**
 * Where files go that a flow names, below one folder, whatever the flow writes; and copies in the folder of a run,
 * which is of its user alone whatever the umask.
 */

import { chmod, copyFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import type { OwnSecrets } from '../../../runtime/secrets.ts'
import { failed } from './failure.ts'

export const keepCopy = async (file: string, kept: string): Promise<void> => {
  makeFolder(dirname(kept), HOME_MODE)
  await copyFile(file, kept)
  await chmod(kept, STATE_FILE_MODE)
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

interface Place {
  readonly outputFolder: string
  readonly secrets: Pick<OwnSecrets, 'conceal'>
}

const refused = (message: string, hint: string) => failed('FILE_REFUSED', message, undefined, hint)

/** Throws CommandFailed for a path that leads out of the folder, and for one that would tell a secret to whoever lists it. */
export const outputPath = ({ outputFolder: folder, secrets }: Place, named: string, extension: string): string => {
  const concealed = secrets.conceal(named)
  if (concealed !== named)
    throw refused(
      `The path ${JSON.stringify(concealed)} holds the value of a secret.`,
      'Name the file without the secret: whoever lists the folder sees its name.',
    )
  if (named === '') throw failed('FLOW_INVALID', 'The path is empty: name the file.')
  const path = resolve(folder, named.endsWith(extension) ? named : `${named}${extension}`)
  if (named.includes('\0') || !isBelow(folder, path))
    throw refused(
      `The path ${JSON.stringify(named)} leads out of ${folder}, where files of flows go.`,
      'Name a path below that folder, without `..` at its beginning; testOutputDir of config.yaml names another folder.',
    )
  return path
}

/** Signs that end a path in reports, or that other systems do not take. */
const UNUSUAL = /[[\]|<>:"\\?*]|\p{Cc}/gu

/** The name of a file that the run keeps of a command. */
export const keptFile = (folder: string, index: number, name: string): string =>
  join(folder, `${String(index + 1).padStart(3, '0')}-${name.replace(UNUSUAL, '_')}`)

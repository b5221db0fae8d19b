/** push_file, pull_file, remove_file and add_media. */
import { addMedia } from '../files/add-media.ts'
import { pullFiles } from '../files/pull-files.ts'
import { pushFiles } from '../files/push-files.ts'
import { removeFile } from '../files/remove-file.ts'
import type { Performers } from './performer.ts'

export const FILE_STEPS = {
  push_file: { link: pushFiles },
  pull_file: { link: pullFiles },
  remove_file: { link: removeFile },
  add_media: { link: addMedia },
} as const satisfies Partial<Performers>

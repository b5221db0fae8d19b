/** Actions on the files of a device. */
import type { Cards, StepData } from '../card.ts'
import { asText, cut, join, lastPart } from '../words.ts'

/** The path is where it arrived. */
const TRANSFERRED = ['path', 'bytes', 'sha256', 'files'] as const
const FILE_FAILURES = ['FILE_NOT_FOUND', 'FILE_EXISTS', 'FILE_REFUSED'] as const

/** `3 files, 1200 bytes` */
const transferred = ({ files, bytes }: StepData): string =>
  join(files && files !== '1' ? `${files} files,` : '', bytes && `${bytes} bytes`)

export const FILE_CARDS = {
  push_file: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    data: TRANSFERRED,
    notes: ['made_folder'],
    failures: FILE_FAILURES,
    words: ({ from, to }) => join('Send', lastPart(from), 'to', cut(asText(to))),
    done: data =>
      join('Sent', transferred(data), 'to', data.path, data.made_folder && `(made the folder ${data.made_folder})`),
  },
  pull_file: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    data: TRANSFERRED,
    failures: FILE_FAILURES,
    words: ({ from }) => join('Fetch', cut(asText(from))),
    done: data => join('Fetched', transferred(data), 'into', data.path),
  },
  remove_file: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    data: ['path'],
    failures: FILE_FAILURES,
    words: ({ path }) => join('Remove', cut(asText(path))),
    done: ({ path }) => join('Removed', path),
  },
  add_media: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    contains: ['push_file'],
    data: ['paths', 'bytes', 'files'],
    failures: FILE_FAILURES,
    words: ({ paths }) => {
      const [first, ...more] = Array.isArray(paths) ? paths : []
      return join('Add', lastPart(first), more.length > 0 ? `and ${more.length} more` : '', 'to the gallery')
    },
    done: data => join('Added', transferred(data), 'to the gallery'),
  },
} as const satisfies Partial<Cards>

/** `svc files list` for people. */
import type { ListedFile } from '../../../contracts/device/device-files.ts'
import { counted, lines, paragraph, table } from './layout.ts'
import type { Page } from './page.ts'

const KIND_MARKS: Readonly<Record<string, string>> = { folder: '/', link: '@', fifo: '|', socket: '=' }

export const filesText = (page: Page, { files }: { files: readonly ListedFile[] }): string => {
  if (files.length === 0) return paragraph(page, 'The folder is empty.')
  return lines(
    table(
      page,
      [
        { title: 'name', cell: ({ name, kind }) => `${name}${KIND_MARKS[kind] ?? ''}` },
        { title: 'bytes', cell: ({ bytes }) => (bytes === undefined ? '' : String(bytes)), align: 'right' },
        { title: 'mode', cell: ({ mode }) => mode, leaveOut: 2 },
        { title: 'modified', cell: ({ modifiedAt }) => page.time(modifiedAt), leaveOut: 1 },
      ],
      files,
    ),
    counted(files.length, 'entry', 'entries'),
  )
}

/** The files of a device, as its shell tells of them. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

export const FILE_KINDS = ['file', 'folder', 'link', 'fifo', 'socket', 'device'] as const

export const FilesQuery = openObject({
  path: v.string(),
  /** The application whose folder it is in, and as which it is read. */
  applicationId: v.exactOptional(v.string()),
})

export const ListedFile = openObject({
  name: v.string(),
  kind: v.picklist(FILE_KINDS),
  /** Only a plain file has it. */
  bytes: v.exactOptional(count),
  /** The permissions, as `ls` writes them: `rwxr-x---`. */
  mode: v.string(),
  /** In epoch ms, to the second. */
  modifiedAt: v.number(),
})
export type ListedFile = v.InferOutput<typeof ListedFile>

export const FilesResponse = openObject({ ok: v.literal(true), files: v.array(ListedFile), count })
export type FilesResponse = v.InferOutput<typeof FilesResponse>

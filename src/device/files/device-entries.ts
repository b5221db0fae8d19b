/** The entries of a folder of a device, as `stat` prints them below `find`: names may hold anything, also line feeds. */
import { isUtf8 } from 'node:buffer'
import { LinkError } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'

export type EntryKind = 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device'

export interface DeviceEntry {
  /** From the root of the listing. */
  path: string
  kind: EntryKind
  size: number
  mode: number
  /** In seconds since the epoch. */
  mtime: number
  /** False where its name is no UTF-8, and `path` only resembles it. */
  isNamed: boolean
}

/** No path has two slashes, so they end a record whatever is in its name. */
export const ENTRY_FORMAT = '%f %s %Y %n//'
const END = Buffer.from('//\n')
const FIELDS = /^([0-9a-f]{1,8}) (\d{1,16}) (-?\d{1,16}) /
const TYPE_BITS = 0o170000
const PERMISSION_BITS = 0o777

const KINDS: ReadonlyMap<number, EntryKind> = new Map([
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
  [0o010000, 'fifo'],
  [0o140000, 'socket'],
])

/** `81a4 1200 1700000000 <path>` */
export const entryFrom = (record: Uint8Array): DeviceEntry | undefined => {
  const bytes = Buffer.from(record)
  const [head, mode = '', size, mtime] = FIELDS.exec(bytes.toString('latin1')) ?? []
  if (head === undefined) return undefined
  const name = bytes.subarray(head.length)
  const bits = Number.parseInt(mode, 16)
  return {
    path: name.toString('utf8'),
    kind: KINDS.get(bits & TYPE_BITS) ?? 'device',
    size: Number(size),
    mode: bits & PERMISSION_BITS,
    mtime: Number(mtime),
    isNamed: isUtf8(name),
  }
}

const malformed = () => new LinkError('LINK_SOCKET_REFUSED', 'the device refuses: its list of files cannot be read')

/** Paths from the root on; a name that would lead out of it is no name. */
const below = (entry: DeviceEntry | undefined, root: string): DeviceEntry => {
  const prefix = root.endsWith('/') ? root : `${root}/`
  if (!entry?.path.startsWith(prefix)) throw malformed()
  const path = entry.path.slice(prefix.length)
  if (path.split('/').some(part => part === '' || part === '.' || part === '..')) throw malformed()
  return { ...entry, path }
}

/** Throws LINK_SOCKET_REFUSED at what no phone prints. Reads no further than one entry beyond `most`. */
export const readEntries = async (
  output: AsyncIterable<Uint8Array>,
  { root, most }: { root: string; most: number },
): Promise<DeviceEntry[]> => {
  const entries: DeviceEntry[] = []
  let held = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of output) {
    bytes += chunk.length
    if (bytes > OUTPUT_BYTES_MAX.command) throw malformed()
    held = Buffer.concat([held, chunk])
    for (let end = held.indexOf(END); end >= 0; end = held.indexOf(END)) {
      entries.push(below(entryFrom(held.subarray(0, end)), root))
      held = held.subarray(end + END.length)
      if (entries.length > most) return entries
    }
  }
  if (held.length > 0) throw malformed()
  return entries
}

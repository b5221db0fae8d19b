/** `sync:`: files to and from the device, their facts, and the lists of folders. */
import {
  AdbSyncEntry2Response,
  AdbSyncEntryResponse,
  AdbSyncLstatResponse,
  AdbSyncRequestId,
  AdbSyncResponseId,
  AdbSyncStatErrorCode,
  AdbSyncStatResponse,
} from '@yume-chan/adb'
import type { Clock } from '../../runtime/clock.ts'
import { storeFile, whyUnreadable, whyUnwritable } from '../file-access.ts'
import type { PhoneEntry, PhoneFiles } from '../phone-parts.ts'
import { type ExactReader, exactReader, StreamEnded } from '../shell/io.ts'
import type { HostStream } from './stream.ts'

const u32Bytes = (id: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(id)
  return bytes
}

const TYPES = { file: 0o100000, folder: 0o040000, link: 0o120000, fifo: 0o010000 } as const
const FOLDER_BYTES = 4_096

const OWNER = 2_000
const DEVICE = 1n
const SIZE_MAX = 0xffff_ffff

const factsOf = (entry: PhoneEntry) => ({
  mode: TYPES[entry.kind] | entry.mode,
  size: entry.kind === 'file' ? entry.content.byteLength : entry.kind === 'folder' ? FOLDER_BYTES : 0,
  mtime: Math.floor(entry.mtime / MS_PER_SECOND),
})

type Facts = ReturnType<typeof factsOf>

/** STAT and LST2 tell of a link itself, STA2 of where it leads. */
const lookUp = (files: PhoneFiles, path: string, follows = false): Facts | undefined => {
  if (whyUnreadable(path) !== undefined) return undefined
  const entry = files.entry(follows ? files.realPath(path) : path)
  return entry && factsOf(entry)
}

const NONE: Facts = { mode: 0, size: 0, mtime: 0 }

const stat2 = (facts: Facts | undefined) => {
  const { mode, size, mtime } = facts ?? NONE
  const at = BigInt(mtime)
  return {
    error: facts ? AdbSyncStatErrorCode.SUCCESS : AdbSyncStatErrorCode.ENOENT,
    dev: facts ? DEVICE : 0n,
    ino: facts ? 1n : 0n,
    mode,
    nlink: facts ? 1 : 0,
    uid: facts ? OWNER : 0,
    gid: facts ? OWNER : 0,
    size: BigInt(size),
    atime: at,
    mtime: at,
    ctime: at,
  }
}

const stat1 = ({ mode, size, mtime }: Facts) => ({ mode, size: Math.min(size, SIZE_MAX), mtime })

/** Version 1 has no error: zeros mean that there is no such file. */
const statAnswer = (files: PhoneFiles, path: string): Buffer =>
  Buffer.concat([u32Bytes(AdbSyncResponseId.Lstat), AdbSyncLstatResponse.serialize(stat1(lookUp(files, path) ?? NONE))])

const stat2Answer = (files: PhoneFiles, path: string, id: number): Buffer =>
  Buffer.concat([u32Bytes(id), AdbSyncStatResponse.serialize(stat2(lookUp(files, path, id === AdbSyncRequestId.Stat)))])

const DONE1_BYTES = 16
const DONE2_BYTES = 72

/** A folder that is not there lists as empty, as on a phone. */
const listAnswer = (files: PhoneFiles, path: string, version: 1 | 2): Buffer => {
  const entries = whyUnreadable(path) === undefined ? (files.list(path) ?? []) : []
  const rows = entries.flatMap(({ name, entry }) =>
    version === 1
      ? [u32Bytes(AdbSyncResponseId.Entry), AdbSyncEntryResponse.serialize({ ...stat1(factsOf(entry)), name })]
      : [u32Bytes(AdbSyncResponseId.Entry2), AdbSyncEntry2Response.serialize({ ...stat2(factsOf(entry)), name })],
  )
  const end = Buffer.alloc(version === 1 ? DONE1_BYTES : DONE2_BYTES)
  return Buffer.concat([...rows, u32Bytes(AdbSyncResponseId.Done), end])
}

const HEADER_BYTES = 8
const PATH_BYTES_MAX = 1_024
const DATA_BYTES_MAX = 64 * 1_024
const MS_PER_SECOND = 1_000
const QUIT = Buffer.from('QUIT').readUInt32LE()
const LINK_TYPE = 0o120000
const TYPE_BITS = 0o170000

interface SyncServiceOptions {
  stream: HostStream
  files: PhoneFiles
  clock: Clock
}

const headed = (id: number, length: number) => Buffer.concat([u32Bytes(id), u32Bytes(length)])

const failure = (message: string): Buffer => {
  const text = Buffer.from(message)
  return Buffer.concat([headed(AdbSyncResponseId.Fail, text.length), text])
}

/** Reads what follows a SEND; `take` hears each piece. Anything else ends the stream. Resolves to when the file was last changed. */
const readData = async (reader: ExactReader, take: (data: Buffer) => unknown): Promise<number> => {
  for (;;) {
    const header = await reader.exactly(HEADER_BYTES)
    const [id, length] = [header.readUInt32LE(0), header.readUInt32LE(4)]
    if (id === AdbSyncRequestId.Done) return length * MS_PER_SECOND
    if (id !== AdbSyncRequestId.Data || length > DATA_BYTES_MAX) throw new StreamEnded()
    await take(await reader.exactly(length))
  }
}

const targetProblem = (files: PhoneFiles, path: string, mode: number): string | undefined => {
  if ((mode & TYPE_BITS) === LINK_TYPE) return "couldn't create symlink: Operation not permitted"
  const denied = whyUnwritable(path) ?? (files.list(path) ? 'Is a directory' : undefined)
  return denied === undefined ? undefined : `couldn't create file: ${denied}`
}

/**
 * A failure is said at once, and what the host sends after it is read and dropped: it may not look before it has sent all.
 * The session goes on.
 */
const send = async (request: string, reader: ExactReader, { stream, files, clock }: SyncServiceOptions) => {
  const comma = request.lastIndexOf(',')
  const path = comma < 0 ? request : request.slice(0, comma)
  const mode = Number(comma < 0 ? '' : request.slice(comma + 1)) || 0o644
  const { total, used } = files.space()
  const room = total - used + (files.read(path)?.content.length ?? 0)
  const chunks: Buffer[] = []
  let size = 0
  let problem = targetProblem(files, path, mode)
  if (problem !== undefined) await stream.write(failure(problem))
  const mtime = await readData(reader, data => {
    size += data.length
    if (problem !== undefined) return
    if (size <= room) return chunks.push(data)
    chunks.length = 0
    problem = "couldn't write: No space left on device"
    return stream.write(failure(problem))
  })
  if (problem !== undefined) return
  const stored = { mode, mtime: mtime || clock.now(), parents: true }
  const refused = storeFile(files, path, Buffer.concat(chunks), stored)
  await stream.write(
    refused === undefined ? headed(AdbSyncResponseId.Ok, 0) : failure(`couldn't create file: ${refused}`),
  )
}

const receive = async (path: string, { stream, files }: SyncServiceOptions): Promise<void> => {
  const denied = whyUnreadable(path)
  if (denied !== undefined) return stream.write(failure(`open failed: ${denied}`))
  const content = files.read(path)?.content
  if (!content)
    return stream.write(failure(`open failed: ${files.list(path) ? 'Is a directory' : 'No such file or directory'}`))
  for (let at = 0; at < content.length; at += DATA_BYTES_MAX) {
    const data = content.subarray(at, at + DATA_BYTES_MAX)
    await stream.write(Buffer.concat([headed(AdbSyncResponseId.Data, data.length), data]))
  }
  // Goes out with the last data: a tiny packet of its own waits some 40 ms in a host that delays acknowledgements.
  await stream.write(headed(AdbSyncResponseId.Done, 0))
}

export const serveSync = async (options: SyncServiceOptions): Promise<void> => {
  const { stream, files } = options
  const reader = exactReader(stream.input)
  for (;;) {
    const header = await reader.exactly(HEADER_BYTES)
    const [id, length] = [header.readUInt32LE(0), header.readUInt32LE(4)]
    if (id === QUIT) return
    if (length > PATH_BYTES_MAX) return stream.write(failure('path too long'))
    const path = (await reader.exactly(length)).toString('utf8')
    switch (id) {
      case AdbSyncRequestId.Lstat:
        await stream.write(statAnswer(files, path))
        break
      case AdbSyncRequestId.Stat:
      case AdbSyncRequestId.LstatV2:
        await stream.write(stat2Answer(files, path, id))
        break
      case AdbSyncRequestId.List:
        await stream.write(listAnswer(files, path, 1))
        break
      case AdbSyncRequestId.ListV2:
        await stream.write(listAnswer(files, path, 2))
        break
      case AdbSyncRequestId.Send:
        await send(path, reader, options)
        break
      case AdbSyncRequestId.Receive:
        await receive(path, options)
        break
      default:
        return stream.write(failure('unknown command'))
    }
  }
}

/** A file written to a device by the sync service. */
import { deferred, onAbort } from './bounded.ts'
import { chunksOf } from './buffers.ts'
import { type Content, LinkError } from './link.ts'
import { openService, whyConnectionEnded } from './run-command.ts'
import type { Service, Transport } from './transport.ts'

export const SYNC_SERVICE = 'sync:'
/** The service takes at most this much in one block, and as a path. */
const BLOCK_BYTES = 64 * 1_024
const PATH_BYTES_MAX = 1_024
export const SYNC_HEADER_BYTES = 8
const MESSAGE_BYTES_MAX = 64 * 1_024
/** About so much leaves in one write, in no more pieces than that: a source may yield single bytes. */
const WRITE_BYTES = 16 * BLOCK_BYTES
const PIECES_PER_WRITE = 1_024
const FILE_TYPE = 0o100000
/** All may read it: the operator app is another user than the shell. */
const MODE = 0o644

export const header = (id: string, value: number): Buffer => {
  const bytes = Buffer.alloc(SYNC_HEADER_BYTES)
  bytes.write(id, 'latin1')
  bytes.writeUInt32LE(value, 4)
  return bytes
}

const TIME_MAX = 0xffff_ffff

/** The service tells a time in four bytes: what is earlier or later gets the first or last one that it can say. */
const syncTime = (mtime: number): number => Math.min(Math.max(Math.trunc(mtime) || 0, 0), TIME_MAX)

/** The path as the service takes it. Throws where it would take another one. */
export const syncPath = (path: string): Buffer => {
  if (path.includes('\0')) throw new RangeError('a NUL character cannot be part of a path')
  const bytes = Buffer.from(path)
  if (bytes.length <= PATH_BYTES_MAX) return bytes
  throw new LinkError('LINK_COMMAND_TOO_LONG', `a path on the device has at most ${PATH_BYTES_MAX} bytes`)
}

/** How a file arrives: the permissions that it has there, and when it was last changed, in seconds since the epoch. */
export interface FileToPush {
  path: string
  content: Content
  mode?: number | undefined
  mtime: number
}

/**
 * Own code and not the package's: request, data and end of a small file travel in one write. Sent one by one through
 * an adb server they cost 44 ms, since its small packets wait for the device's delayed acknowledgement.
 */
export async function* syncWrites({ path, content, mode = MODE, mtime }: FileToPush): AsyncGenerator<Buffer> {
  const target = Buffer.from(`${path},${FILE_TYPE | mode}`)
  let pending: Uint8Array[] = [header('SEND', target.length), target]
  let bytes = 0
  for await (const chunk of chunksOf(content))
    for (let at = 0; at < chunk.length; at += BLOCK_BYTES) {
      const block = chunk.subarray(at, at + BLOCK_BYTES)
      pending.push(header('DATA', block.length), block)
      bytes += block.length
      if (bytes < WRITE_BYTES && pending.length < PIECES_PER_WRITE) continue
      yield Buffer.concat(pending)
      pending = []
      bytes = 0
    }
  yield Buffer.concat([...pending, header('DONE', syncTime(mtime))])
}

/** Undefined when the service ended before its word was complete. */
const readVerdict = async (service: Service): Promise<{ ok: boolean; message: string } | undefined> => {
  let received = Buffer.alloc(0)
  for (;;) {
    const chunk = await service.read()
    if (chunk === undefined) return undefined
    received = Buffer.concat([received, chunk])
    if (received.length < SYNC_HEADER_BYTES) continue
    if (received.toString('latin1', 0, 4) === 'OKAY') return { ok: true, message: '' }
    const end = SYNC_HEADER_BYTES + Math.min(received.readUInt32LE(4), MESSAGE_BYTES_MAX)
    if (received.length >= end) return { ok: false, message: received.toString('utf8', SYNC_HEADER_BYTES, end) }
  }
}

/** Rejects only when the content fails: a device that refuses stops taking, and its verdict tells more than a failed write. */
const writeAll = async (service: Service, writes: AsyncIterable<Buffer>): Promise<void> => {
  for await (const bytes of writes) {
    const isTaken = await service.write(bytes).then(
      () => true,
      () => false,
    )
    if (!isTaken) return
  }
}

/** The content is read no faster than the device takes it, and no further once the device has refused. */
export const pushFile = async (transport: Transport, file: FileToPush, stop: AbortSignal): Promise<void> => {
  const { path } = file
  syncPath(path)
  const service = await openService(transport, SYNC_SERVICE, stop)
  const forget = onAbort(stop, () => service.close())
  try {
    const failed = deferred<never>()
    writeAll(service, syncWrites(file)).catch(failed.reject)
    const verdict = await Promise.race([readVerdict(service), failed.promise])
    if (!verdict) throw stop.aborted ? stop.reason : await whyConnectionEnded(transport, `the transfer of ${path}`)
    if (!verdict.ok) throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses ${path}: ${verdict.message}`)
  } finally {
    forget()
    service.close()
  }
}

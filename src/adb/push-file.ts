/** A file written to a device by the sync service. */
import { onAbort } from './bounded.ts'
import { LinkError } from './link.ts'
import { openService, whyConnectionEnded } from './run-command.ts'
import type { Service, Transport } from './transport.ts'

const SERVICE = 'sync:'
/** The service takes at most this much in one block, and as a path. */
const BLOCK_BYTES = 64 * 1_024
const PATH_BYTES_MAX = 1_024
const RESPONSE_BYTES = 8
const MESSAGE_BYTES_MAX = 64 * 1_024
const BLOCKS_PER_WRITE = 16
/** A plain file that all may read: the operator app is another user than the shell. */
const MODE = 0o100644

const header = (id: string, value: number): Buffer => {
  const bytes = Buffer.alloc(RESPONSE_BYTES)
  bytes.write(id, 'latin1')
  bytes.writeUInt32LE(value, 4)
  return bytes
}

/**
 * Own code and not the package's: request, data and end of a small file travel in one write. Sent one by one through
 * an adb server they cost 44 ms, since its small packets wait for the device's delayed acknowledgement.
 */
export function* syncWrites(path: string, content: Uint8Array, mtime: number): Generator<Buffer> {
  const target = Buffer.from(`${path},${MODE}`)
  let pending: Buffer[] = [header('SEND', target.length), target]
  for (let at = 0; at < content.length; at += BLOCK_BYTES) {
    const block = content.subarray(at, at + BLOCK_BYTES)
    pending.push(header('DATA', block.length), Buffer.from(block.buffer, block.byteOffset, block.length))
    if (pending.length > BLOCKS_PER_WRITE * 2) {
      yield Buffer.concat(pending)
      pending = []
    }
  }
  yield Buffer.concat([...pending, header('DONE', mtime)])
}

/** Undefined when the service ended before its word was complete. */
const readVerdict = async (service: Service): Promise<{ ok: boolean; message: string } | undefined> => {
  let received = Buffer.alloc(0)
  for (;;) {
    const chunk = await service.read()
    if (chunk === undefined) return undefined
    received = Buffer.concat([received, chunk])
    if (received.length < RESPONSE_BYTES) continue
    if (received.toString('latin1', 0, 4) === 'OKAY') return { ok: true, message: '' }
    const end = RESPONSE_BYTES + Math.min(received.readUInt32LE(4), MESSAGE_BYTES_MAX)
    if (received.length >= end) return { ok: false, message: received.toString('utf8', RESPONSE_BYTES, end) }
  }
}

const writeAll = async (service: Service, writes: Iterable<Buffer>): Promise<void> => {
  // A device that refuses says so and stops taking: its verdict tells more than a failed write.
  try {
    for (const bytes of writes) await service.write(bytes)
  } catch {}
}

interface FileToPush {
  path: string
  content: Uint8Array
  /** Seconds since the epoch. */
  mtime: number
}

export const pushFile = async (transport: Transport, file: FileToPush, stop: AbortSignal): Promise<void> => {
  const { path, content, mtime } = file
  if (path.includes('\0')) throw new RangeError('a NUL character cannot be part of a path')
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new LinkError('LINK_COMMAND_TOO_LONG', `a path on the device has at most ${PATH_BYTES_MAX} bytes`)
  const service = await openService(transport, SERVICE, stop)
  const forget = onAbort(stop, () => service.close())
  try {
    void writeAll(service, syncWrites(path, content, mtime))
    const verdict = await readVerdict(service)
    if (!verdict) throw await whyConnectionEnded(transport, `the transfer of ${path}`)
    if (!verdict.ok) throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses ${path}: ${verdict.message}`)
  } finally {
    forget()
    service.close()
  }
}

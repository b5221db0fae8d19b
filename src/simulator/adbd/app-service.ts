/** `localabstract:`: carries bytes between a host and an app of the phone. */
import { ENVELOPE_BYTES_MAX } from '../../contracts/limits.ts'
import type { AppSocket } from '../phone-parts.ts'
import type { HostStream } from './stream.ts'

/** An app pushes without asking: room for the largest envelope and its frame, then the host counts as gone. */
const UNREAD_BYTES_MAX = ENVELOPE_BYTES_MAX + 1_024 * 1_024

export const serveApp = async (stream: HostStream, socket: AppSocket): Promise<void> => {
  stream.signal.addEventListener('abort', () => socket.close(), { once: true })
  // What the app said before it hung up still goes out.
  socket.onClose(() => stream.end())
  socket.onData(bytes => {
    if (stream.queued() + bytes.length > UNREAD_BYTES_MAX) socket.close()
    else stream.write(bytes).catch(() => socket.close())
  })
  for (let chunk = await stream.input.read(); chunk; chunk = await stream.input.read()) socket.write(chunk)
}

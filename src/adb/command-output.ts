/** What a command prints, read as it comes and no faster than its reader takes it. */
import { deferred, onAbort } from './bounded.ts'
import { growingBuffer } from './buffers.ts'
import { LinkError } from './link.ts'
import { openShell, shellReader, whyConnectionEnded } from './run-command.ts'
import type { Service, Transport } from './transport.ts'

/** The words of a command that failed; more of them is dropped. */
const STDERR_BYTES_MAX = 4_096

interface Opened {
  service: Service
  stop: AbortSignal
}

/** The stdout of an open command; throws what a failure of it is. */
async function* printedBy(transport: Transport, { service, stop }: Opened): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let exitCode: number | undefined
  const stderr = growingBuffer()
  const decode = shellReader({
    stdout: piece => pieces.push(piece),
    stderr: piece => stderr.append(piece.subarray(0, Math.max(0, STDERR_BYTES_MAX - stderr.size()))),
    exit: code => {
      exitCode = code
    },
  })
  while (exitCode === undefined) {
    const chunk = await service.read()
    if (chunk === undefined) throw stop.aborted ? stop.reason : await whyConnectionEnded(transport, 'the command')
    decode(chunk)
    const printed = pieces
    pieces = []
    yield* printed
  }
  if (exitCode === 0) return
  const said = stderr.take().toString().trim()
  throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses: ${said || `exit code ${exitCode}`}`)
}

/** `bounded` runs the work within the bounds of the call, and is over when the reader is. */
export async function* commandOutput(
  transport: Transport,
  command: string,
  bounded: (work: (stop: AbortSignal) => Promise<void>) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const opened = deferred<Opened>()
  const over = deferred<void>()
  const whole = bounded(async stop => {
    const service = await openShell(transport, command, stop)
    const forget = onAbort(stop, () => service.close())
    opened.resolve({ service, stop })
    await over.promise
    forget()
    service.close()
  })
  whole.catch(opened.reject)
  try {
    yield* printedBy(transport, await opened.promise)
  } finally {
    over.resolve()
    await whole.catch(() => {})
  }
}

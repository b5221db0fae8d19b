/** The services of the debug daemon by their names, and what is refused. */
import { ENVELOPE_BYTES_MAX } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Phone } from '../phone.ts'
import type { AppSocket } from '../phone-parts.ts'
import { StreamEnded } from '../shell/io.ts'
import type { Shell } from '../shell/shell.ts'
import { createReverses, type HostConnection } from './reverses.ts'
import { serveShell } from './shell-service.ts'
import type { HostStream, Service } from './stream.ts'
import { serveSync } from './sync-service.ts'

/** Starts serving; undefined when the device refuses the service. */
export type OpenService = (name: string, connection: HostConnection) => ((stream: HostStream) => void) | undefined

const NAME_CHARS_LOGGED = 100
const SHELL = /^shell(?:,([^:]*))?:([\s\S]*)$/
const APP = /^localabstract:([\s\S]+)$/
const PORT = /^tcp:(\d{1,5})$/

/** An app pushes without asking: room for the largest envelope and its frame, then the host counts as gone. */
const UNREAD_BYTES_MAX = ENVELOPE_BYTES_MAX + 1_024 * 1_024

/** `localabstract:`: carries bytes between a host and an app. Bytes that the host sends before it closes still reach the app. */
const serveApp = async (stream: HostStream, socket: AppSocket): Promise<void> => {
  // Output of the app from before it hung up is still sent.
  socket.onClose(() => stream.end())
  socket.onData(bytes => {
    if (stream.queued() + bytes.length > UNREAD_BYTES_MAX) socket.close()
    else stream.write(bytes).catch(() => socket.close())
  })
  for (let chunk = await stream.input.read(); chunk; chunk = await stream.input.read()) socket.write(chunk)
  socket.close()
}

export const createServices = ({ phone, clock, shell }: { phone: Phone; clock: Clock; shell: Shell }): OpenService => {
  const reverse = createReverses(phone.network)

  const find = (name: string, connection: HostConnection): Service | undefined => {
    const [isShell, options = '', line = ''] = SHELL.exec(name) ?? []
    if (isShell !== undefined) {
      const words = options.split(',')
      // A shell without a command may have a person at it, and gets a terminal unless it is called with `raw`.
      const terminal = words.includes('pty') || (line === '' && !words.includes('raw'))
      return stream => serveShell({ stream, shell, line, framed: words.includes('v2'), terminal })
    }
    if (name.startsWith('exec:')) {
      return stream => serveShell({ stream, shell, line: name.slice('exec:'.length), framed: false, terminal: false })
    }
    if (name === 'sync:') return stream => serveSync({ stream, files: phone.files, clock })
    if (name.startsWith('reverse:')) return reverse(name.slice('reverse:'.length), connection)
    const [, app] = APP.exec(name) ?? []
    const [, port] = PORT.exec(name) ?? []
    const listener = port === undefined ? undefined : phone.helpers?.snapshot.connect(Number(port))
    const socket = phone.network?.connect(name) ?? (app === undefined ? listener : phone.connect(app))
    return socket && (stream => serveApp(stream, socket))
  }

  const report = (name: string, error: unknown) =>
    phone.log.write('E', 'adbd', `service ${name.slice(0, NAME_CHARS_LOGGED)}: ${String(error)}`)

  const findOrRefuse = (name: string, connection: HostConnection): Service | undefined => {
    try {
      return find(name, connection)
    } catch (error) {
      report(name, error)
      return undefined
    }
  }

  return (name, connection) => {
    const service = findOrRefuse(name, connection)
    return (
      service &&
      (stream => {
        service(stream).then(
          () => stream.end(),
          error => {
            if (!(error instanceof StreamEnded)) report(name, error)
            stream.end()
          },
        )
      })
    )
  }
}

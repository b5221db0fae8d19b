/** A link as callers see it, over whichever transport: every call ends by its deadline, its caller or the device's loss. */
import type { Clock } from '../runtime/clock.ts'
import { bounded } from './bounded.ts'
import type { CallOptions, Link } from './link.ts'
import { LinkError } from './link-error.ts'
import { openSocket, openStream } from './open-stream.ts'
import { pushFile } from './push-file.ts'
import { commandLine } from './quote.ts'
import { runCommand } from './run-command.ts'
import type { Transport } from './transport.ts'

const MS_PER_SECOND = 1_000
const WHAT_CHARS_MAX = 80

/** Placeholders that whole series of devices share: as good as no serial number. */
const isOwn = (serial: string) => serial !== '' && serial !== 'unknown' && !/^EMULATOR\d+X/.test(serial)

const short = (what: string) => (what.length > WHAT_CHARS_MAX ? `${what.slice(0, WHAT_CHARS_MAX)}...` : what)

export const createDeviceLink = (serial: string, transport: Transport, clock: Clock): Link => {
  const call = async <T>(what: string, options: CallOptions, work: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await bounded({ clock, what: short(what), lost: transport.lost, ...options }, work)
    } catch (error) {
      // A slow command or a dead link: the next call is to know.
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT') void transport.probe()
      throw error
    }
  }
  let own: string | undefined

  const link: Link = {
    serial,
    lost: transport.lost,
    shell: (command, { stdin, ...options }) =>
      call(command, options, async stop => {
        const { exitCode, stdout, stderr } = await runCommand(transport, command, stop, stdin)
        return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
      }),
    exec: (command, options) =>
      call(command, options, async stop => (await runCommand(transport, command, stop)).stdout),
    stream: (command, options) => call(command, options, stop => openStream(transport, command, stop)),
    socket: (service, options) => call(service, options, stop => openSocket(transport, service, stop)),
    push: (path, content, options) => {
      const mtime = Math.floor(clock.now() / MS_PER_SECOND)
      return call(`push ${path}`, options, stop => pushFile(transport, { path, content, mtime }, stop))
    },
    pull: (path, options) =>
      call(`pull ${path}`, options, async stop => {
        const { exitCode, stdout, stderr } = await runCommand(transport, commandLine('cat', path), stop)
        if (exitCode === 0) return stdout
        throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses ${path}: ${stderr.toString().trim()}`)
      }),
    async hardwareSerial(options) {
      if (own !== undefined) return own
      const { stdout, exitCode } = await link.shell(commandLine('getprop', 'ro.serialno'), options)
      const said = stdout.trim()
      const found = isOwn(said) ? said : serial
      if (exitCode === 0) own = found
      return found
    },
  }
  return link
}

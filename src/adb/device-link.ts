/** A link as callers see it, over whichever transport: every call ends by its deadline, its caller or the device's loss. */
import type { Clock } from '../runtime/clock.ts'
import { bounded } from './bounded.ts'
import type { CallOptions, Link } from './link.ts'
import { LinkError } from './link-error.ts'
import { OUTPUT_BYTES_MAX } from './link-limits.ts'
import { openSocket, openStream } from './open-stream.ts'
import { pushFile } from './push-file.ts'
import { commandLine } from './quote.ts'
import { runCommand } from './run-command.ts'
import type { Transport } from './transport.ts'

const MS_PER_SECOND = 1_000
const WHAT_CHARS_MAX = 80

/** True for a plausible serial number; whole series of devices share placeholders, which identify nothing. */
const isOwn = (serial: string) =>
  /^[\x20-\x7e]{1,255}$/.test(serial) && serial !== 'unknown' && !/^EMULATOR\d+X/.test(serial)

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
    shell: (command, { stdin, maxBytes = OUTPUT_BYTES_MAX.command, ...options }) =>
      call(command, options, async stop => {
        const { exitCode, stdout, stderr } = await runCommand(transport, command, { stop, maxBytes, stdin })
        return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
      }),
    exec: (command, { maxBytes = OUTPUT_BYTES_MAX.raw, ...options }) =>
      call(command, options, async stop => (await runCommand(transport, command, { stop, maxBytes })).stdout),
    stream: (command, options) => call(command, options, stop => openStream(transport, command, stop)),
    socket: (service, options) => call(service, options, stop => openSocket(transport, service, stop)),
    push: (path, content, options) => {
      const mtime = Math.floor(clock.now() / MS_PER_SECOND)
      return call(`push ${path}`, options, stop => pushFile(transport, { path, content, mtime }, stop))
    },
    pull: (path, { maxBytes = OUTPUT_BYTES_MAX.raw, ...options }) =>
      call(`pull ${path}`, options, async stop => {
        const { exitCode, stdout, stderr } = await runCommand(transport, commandLine('cat', path), { stop, maxBytes })
        if (exitCode === 0) return stdout
        throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses ${path}: ${stderr.toString().trim()}`)
      }),
    async hardwareSerial(options) {
      if (own !== undefined) return own
      const maxBytes = OUTPUT_BYTES_MAX.word
      const asked = link.shell(commandLine('getprop', 'ro.serialno'), { ...options, maxBytes })
      const { stdout, exitCode } = await asked.catch((error: unknown) => {
        if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE') return { stdout: '', exitCode: 0 }
        throw error
      })
      const said = stdout.trim()
      const found = isOwn(said) ? said : serial
      if (exitCode === 0) own = found
      return found
    },
  }
  return link
}

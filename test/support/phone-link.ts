/** A link straight to the shell of a simulated phone, with no debug bridge in between. */
import { type Link, LinkError } from '../../src/adb/link.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Phone } from '../../src/simulator/phone.ts'
import { emptyInput } from '../../src/simulator/shell/io.ts'
import { createShell } from '../../src/simulator/shell/shell.ts'

const never = new AbortController().signal
const missing = () => Promise.reject(new LinkError('DEVICE_SHELL_UNAVAILABLE', 'this link has a shell only'))

export interface PhoneLink extends Link {
  readonly commands: string[]
}

export const phoneLink = (phone: Phone, clock: Clock): PhoneLink => {
  const shell = createShell({ phone, clock })
  const commands: string[] = []
  const run = async (command: string, signal: AbortSignal = never) => {
    commands.push(command)
    const [stdout, stderr]: Uint8Array[][] = [[], []]
    const exitCode = await shell.run(command, {
      stdin: emptyInput,
      stdout: async bytes => void stdout?.push(bytes),
      stderr: async bytes => void stderr?.push(bytes),
      signal,
    })
    return { exitCode, stdout: Buffer.concat(stdout ?? []), stderr: Buffer.concat(stderr ?? []) }
  }
  return {
    commands,
    serial: 'in-process',
    lost: never,
    shell: async (command, { signal }) => {
      const { exitCode, stdout, stderr } = await run(command, signal)
      return { exitCode, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') }
    },
    exec: async (command, { signal }) => (await run(command, signal)).stdout,
    stream: missing,
    push: missing,
    pull: missing,
    socket: missing,
    hardwareSerial: async () => 'in-process',
  }
}

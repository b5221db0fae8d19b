/** A link straight to the shell of a simulated phone, with no debug bridge in between. */
import { chunksOf } from '../../../src/device/link/buffers.ts'
import { type Content, type Link, LinkError } from '../../../src/device/link/link.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { commandLine } from '../../../src/runtime/text/quote.ts'
import { storeFile } from '../../../src/simulator/file-access.ts'
import type { Phone } from '../../../src/simulator/phone.ts'
import { emptyInput, type Input } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'

const never = new AbortController().signal
const missing = () => Promise.reject(new LinkError('DEVICE_SHELL_UNAVAILABLE', 'this link has a shell only'))

export interface PhoneLink extends Link {
  readonly commands: string[]
}

/** It ends when the caller goes, as the daemon of a phone ends it. */
const inputOf = (content: Content, signal: AbortSignal): Input => {
  const chunks = (async function* () {
    yield* chunksOf(content)
  })()
  return { read: async () => (signal.aborted ? undefined : ((await chunks.next()).value ?? undefined)) }
}

export const phoneLink = (phone: Phone, clock: Clock): PhoneLink => {
  const shell = createShell({ phone, clock })
  const commands: string[] = []
  const run = async (command: string, signal: AbortSignal = never, input?: Content) => {
    commands.push(command)
    const [stdout, stderr]: Uint8Array[][] = [[], []]
    const exitCode = await shell.run(command, {
      stdin: input ? inputOf(input, signal) : emptyInput,
      stdout: async bytes => void stdout?.push(bytes),
      stderr: async bytes => void stderr?.push(bytes),
      signal,
    })
    return { exitCode, stdout: Buffer.concat(stdout ?? []), stderr: Buffer.concat(stderr ?? []) }
  }
  async function* output(command: string) {
    const { exitCode, stdout, stderr } = await run(command)
    if (exitCode !== 0) throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses: ${stderr.toString().trim()}`)
    yield stdout
  }
  return {
    commands,
    serial: 'in-process',
    lost: never,
    shell: async (command, { signal, stdin }) => {
      const { exitCode, stdout, stderr } = await run(command, signal, stdin)
      return { exitCode, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') }
    },
    exec: async (command, { signal }) => (await run(command, signal)).stdout,
    stream: missing,
    async push(path, content, { mode, mtime, deadline, signal }) {
      if (signal?.aborted || deadline <= clock.now()) throw new LinkError('LINK_CANCELLED', `push ${path}`)
      const chunks: Uint8Array[] = []
      for await (const chunk of chunksOf(content)) chunks.push(chunk)
      const refused = storeFile(phone.files, path, Buffer.concat(chunks), { mode, mtime, parents: true })
      if (refused !== undefined) throw new LinkError('LINK_SOCKET_REFUSED', `the device refuses ${path}: ${refused}`)
    },
    pull: missing,
    read: path => output(commandLine('cat', path)),
    output,
    socket: missing,
    hardwareSerial: async () => 'in-process',
  }
}

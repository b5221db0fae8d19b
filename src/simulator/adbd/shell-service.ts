/** `shell:` and `exec:`: runs a command line, framed with its exit code or raw, on a terminal or not. */
import { AdbShellProtocolId, AdbShellProtocolPacket } from '@yume-chan/adb'
import { createPipe, type Io, type Output, type Pipe, StreamEnded } from '../shell/io.ts'
import type { Shell } from '../shell/shell.ts'
import { createTerminal } from '../shell/terminal.ts'
import type { HostStream } from './stream.ts'

interface ShellFrame {
  id: number
  /** A part of the frame's data; a frame without data comes as one empty part. */
  data: Uint8Array
}

const HEADER_BYTES = 5

export const shellFrames = (): { push(bytes: Uint8Array): ShellFrame[] } => {
  const header = Buffer.alloc(HEADER_BYTES)
  let held = 0
  let left = 0

  return {
    push(bytes) {
      const frames: ShellFrame[] = []
      for (let at = 0; at < bytes.length; ) {
        if (held < HEADER_BYTES) {
          header[held++] = bytes[at++] ?? 0
          if (held < HEADER_BYTES) continue
          left = header.readUInt32LE(1)
        }
        const data = bytes.subarray(at, at + left)
        at += data.length
        left -= data.length
        if (data.length > 0 || left === 0) frames.push({ id: header[0] ?? 0, data })
        if (left === 0) held = 0
      }
      return frames
    },
  }
}

/** The kernel's limit for one argument, its NUL included: `sh -c` gets the whole line as one. */
const ARGUMENT_BYTES_MAX = 128 * 1_024
const TOO_LONG = "error: exec '/system/bin/sh' failed: Argument list too long (7)\n"
const NOT_STARTED_CODE = 126
/** Larger pieces of output are cut, so that a reader sees it come. */
const FRAME_BYTES = 64 * 1_024

interface ShellServiceOptions {
  stream: HostStream
  shell: Shell
  line: string
  /** Shell protocol v2: stdin, stdout, stderr and the exit code apart. */
  framed: boolean
  terminal: boolean
}

const frame = (id: AdbShellProtocolId, data: Uint8Array) => AdbShellProtocolPacket.serialize({ id, data })

const framedOutput =
  (stream: HostStream, id: AdbShellProtocolId): Output =>
  async bytes => {
    for (let at = 0; at < bytes.length; at += FRAME_BYTES)
      await stream.write(frame(id, bytes.subarray(at, at + FRAME_BYTES)))
  }

/** Takes the host's stdin out of its frames, until the host or the command ends. */
const unframe = async (stream: HostStream, stdin: Pipe): Promise<void> => {
  const frames = shellFrames()
  for (let chunk = await stream.input.read(); chunk; chunk = await stream.input.read()) {
    for (const { id, data } of frames.push(chunk)) {
      if (id === AdbShellProtocolId.Stdin) await stdin.write(data)
      else if (id === AdbShellProtocolId.CloseStdin) stdin.end()
    }
  }
  stdin.end()
}

export const serveShell = async ({ stream, shell, line, framed, terminal }: ShellServiceOptions): Promise<void> => {
  const stdin = createPipe()
  const end = () => stdin.cancel()
  stream.signal.addEventListener('abort', end, { once: true })
  // Once the command has ended, what the host still sends is nobody's.
  if (framed) {
    unframe(stream, stdin).catch(error => {
      if (!(error instanceof StreamEnded)) stream.end()
    })
  }

  const plain: Io = {
    stdin: framed ? stdin : stream.input,
    stdout: framed ? framedOutput(stream, AdbShellProtocolId.Stdout) : stream.write,
    stderr: framed ? framedOutput(stream, AdbShellProtocolId.Stderr) : stream.write,
    signal: stream.signal,
  }
  const run = async (): Promise<number> => {
    if (Buffer.byteLength(line) >= ARGUMENT_BYTES_MAX) {
      await plain.stderr(Buffer.from(TOO_LONG))
      return NOT_STARTED_CODE
    }
    if (!terminal) return line === '' ? shell.interact(plain, { prompt: false }) : shell.run(line, plain)
    const { io, onInterrupt, close } = createTerminal(plain)
    const running = line === '' ? shell.interact(io, { prompt: true, onInterrupt }) : shell.run(line, io)
    return running.finally(close)
  }

  const code = await run()
  stdin.cancel()
  if (framed && !stream.signal.aborted) await stream.write(frame(AdbShellProtocolId.Exit, Uint8Array.of(code)))
}

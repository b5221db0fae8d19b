/** Puts a terminal before the streams of a shell: echo, line editing, and line ends. */
import { createPipe, type Io, type Output, StreamEnded } from './io.ts'

const INTERRUPT = 0x03
const END = 0x04
const BACKSPACES = [0x08, 0x7f]
const RETURN = 0x0d
const NEWLINE = 0x0a
const LINE_BYTES_MAX = 4_096

const withReturns = (bytes: Uint8Array): Uint8Array =>
  bytes.includes(NEWLINE)
    ? Buffer.from(Buffer.from(bytes).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
    : bytes

/** The streams as a program on the terminal sees them. Ctrl-D on an empty line ends the input. */
export const createTerminal = (outer: Io) => {
  const stdin = createPipe()
  const ending = new AbortController()
  let interrupt = () => {
    ending.abort()
    stdin.cancel()
  }
  const write: Output = bytes => outer.stdout(withReturns(bytes))
  let line: number[] = []

  const take = async (byte: number): Promise<void> => {
    if (byte === INTERRUPT) {
      await outer.stdout(Buffer.from('^C\r\n'))
      line = []
      interrupt()
    } else if (byte === END && line.length === 0) {
      stdin.end()
    } else if (BACKSPACES.includes(byte)) {
      if (line.pop() !== undefined) await outer.stdout(Buffer.from('\b \b'))
    } else if (byte === RETURN || byte === NEWLINE || line.length >= LINE_BYTES_MAX) {
      await outer.stdout(Buffer.from('\r\n'))
      const whole = Uint8Array.from([...line, NEWLINE])
      line = []
      await stdin.write(whole)
    } else {
      line.push(byte)
      await outer.stdout(Uint8Array.of(byte))
    }
  }

  const typed = async () => {
    for (let chunk = await outer.stdin.read(); chunk; chunk = await outer.stdin.read()) {
      for (const byte of chunk) await take(byte)
    }
    stdin.end()
  }
  typed().catch(error => {
    if (error instanceof StreamEnded) stdin.cancel()
    else ending.abort()
  })

  return {
    io: { stdin, stdout: write, stderr: write, signal: AbortSignal.any([outer.signal, ending.signal]) },
    /** Adds a listener for Ctrl-C; without one, Ctrl-C ends the program. */
    onInterrupt: (listener: () => void) => {
      interrupt = listener
    },
    close: () => stdin.cancel(),
  }
}

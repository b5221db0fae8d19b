/** Runs a command line in the shell of a phone and keeps what it prints. */
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Phone } from '../../../src/simulator/phone.ts'
import { bytesInput, emptyInput, type Io } from '../../../src/simulator/shell/io.ts'
import { createShell, type Shell } from '../../../src/simulator/shell/shell.ts'
import { stubPhone } from './stub-phone.ts'

export interface ShellRun {
  code: number
  stdout: Buffer
  stderr: Buffer
  out: string
  err: string
}

export const captured = (changes: Partial<Io> = {}) => {
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []]
  const io: Io = {
    stdin: emptyInput,
    stdout: async bytes => void stdout.push(bytes),
    stderr: async bytes => void stderr.push(bytes),
    signal: new AbortController().signal,
    ...changes,
  }
  return { io, stdout: () => Buffer.concat(stdout), stderr: () => Buffer.concat(stderr) }
}

export const runIn = async (shell: Shell, line: string, stdin?: Uint8Array): Promise<ShellRun> => {
  const { io, stdout, stderr } = captured(stdin ? { stdin: bytesInput(stdin) } : {})
  const code = await shell.run(line, io)
  return { code, stdout: stdout(), stderr: stderr(), out: stdout().toString(), err: stderr().toString() }
}

export const shellOf = (phone: Phone = stubPhone(systemClock()), clock = systemClock()): Shell =>
  createShell({ phone, clock })

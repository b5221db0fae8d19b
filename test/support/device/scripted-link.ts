/** A link whose device is a function from command line to answer; what a test does not script is not there. */
import { type CallOptions, type Link, LinkError, type ShellResult } from '../../../src/device/link/link.ts'

export type Answer = string | Partial<ShellResult> | Error

export interface ScriptedLink extends Link {
  readonly commands: string[]
  readonly deadlines: number[]
}

const notScripted = () => Promise.reject(new LinkError('DEVICE_SHELL_UNAVAILABLE', 'not scripted'))

const missing = () => {
  throw new LinkError('DEVICE_SHELL_UNAVAILABLE', 'not scripted')
}

/** A plain string is stdout, an Error is thrown, and a command without an answer succeeds silently. */
export const scriptedLink = (
  answer: (command: string) => Answer | undefined | Promise<Answer | undefined>,
  exec: (command: string) => Uint8Array | Error = () => new Error('not scripted'),
): ScriptedLink => {
  const commands: string[] = []
  const deadlines: number[] = []
  const note = (command: string, { deadline, signal }: CallOptions) => {
    if (signal?.aborted) throw new LinkError('LINK_CANCELLED', 'cancelled')
    commands.push(command)
    deadlines.push(deadline)
  }
  return {
    commands,
    deadlines,
    serial: 'scripted',
    lost: new AbortController().signal,
    shell: async (command, options) => {
      note(command, options)
      const given = (await answer(command)) ?? {}
      if (given instanceof Error) throw given
      return { exitCode: 0, stdout: '', stderr: '', ...(typeof given === 'string' ? { stdout: given } : given) }
    },
    exec: async (command, options) => {
      note(command, options)
      const given = exec(command)
      if (given instanceof Error) throw given
      return given
    },
    stream: notScripted,
    push: notScripted,
    pull: notScripted,
    read: () => missing(),
    output: () => missing(),
    socket: notScripted,
    hardwareSerial: async () => 'scripted',
  }
}

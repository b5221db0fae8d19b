/** The stderr of a child on a pseudo-terminal, which would otherwise have all three: a pipe that it opens by name. */
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'

/** Node makes no pipes that can be handed to a child of somebody else, and mkfifo is where POSIX says. */
const PATH = '/usr/bin:/bin'
const MAKE_MS = 5_000

const SHELL = '/bin/sh'
/** Opens it, says so in one byte (a line feed), and becomes the command. */
const OPEN = 'exec 2>"$1"; echo >&2; shift; exec "$@"'

const SHELL_NAME = /^[A-Za-z_]\w*$/

/** Some shells do not hand on variables whose names they cannot use. */
const keepingNames = (command: string, env: Readonly<Record<string, string>>): string[] => {
  const lost = Object.entries(env).filter(([name]) => !SHELL_NAME.test(name))
  const canSay = lost.length > 0 && !command.includes('=')
  return canSay ? ['/usr/bin/env', '--', ...lost.map(([name, value]) => `${name}=${value}`)] : []
}

/** Once: of a file descriptor, the number may be somebody else's by the second time. */
const once = (act: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}

const openBoth = (path: string): { reader: number; keeper: number } => {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { reader, keeper: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) }
  } catch (error) {
    closeSync(reader)
    throw error
  }
}

/** Rejects when the system makes none. */
export const openStderrPipe = async (path: string, listener: (bytes: Buffer) => void) => {
  await promisify(execFile)('mkfifo', ['-m', '600', path], { env: { PATH }, timeout: MAKE_MS })
  const { reader, keeper } = openBoth(path)
  // The writing end kept here stands for the child until it opens the pipe: without a writer the pipe would be at its
  // end.
  /** The child opens it now or never. */
  const letGo = once(() => {
    closeSync(keeper)
    rmSync(path, { force: true })
  })
  const socket = new Socket({ fd: reader, readable: true, writable: false })
  let isOpened = false
  socket.on('data', (bytes: Buffer) => {
    const output = isOpened ? bytes : bytes.subarray(1)
    isOpened = true
    letGo()
    if (output.length > 0) listener(output)
  })
  socket.on('error', () => {})
  /** Resolves when nobody can write to it any more. */
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  return {
    /** The program and the arguments that start a command with this pipe as its stderr; the process stays the same. */
    wrap: (command: string, args: readonly string[], env: Readonly<Record<string, string>>): [string, string[]] => [
      SHELL,
      ['-c', OPEN, 'svc', path, ...keepingNames(command, env), command, ...args],
    ],
    closed,
    childEnded: letGo,
    /** Safe to call twice. */
    release() {
      letGo()
      socket.destroy()
    },
  }
}

export type StderrPipe = Awaited<ReturnType<typeof openStderrPipe>>

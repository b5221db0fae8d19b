/** An agent's child: on a pseudo-terminal, which makes it the leader of a session and of a process group. */
import { closeSync, constants as files, openSync } from 'node:fs'
import { constants } from 'node:os'
import type { ChildExit, StartChild } from './child.ts'
import { processGroup } from './process-group.ts'
import type { Pty } from './pty.ts'

/** Wide, because some programs break their lines at the edge, and a frame is one line. */
const COLUMNS = 4_096
const ROWS = 50
const TERMINAL = 'xterm-256color'

const signalName = (number: number | undefined): string | null =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null

/**
 * When nobody has a terminal open any more, its reader may be told that it ended before it was given the last kilobytes
 * (seen with every third child that printed 60 kB and exited), and a frame comes last. So it is held open here until the
 * child has ended and was read.
 */
const holdOpen = (path: string): (() => void) => {
  try {
    const held = openSync(path, files.O_RDONLY | files.O_NOCTTY | files.O_NONBLOCK)
    return () => closeSync(held)
  } catch {
    return () => {}
  }
}

export const startOnTerminal =
  (pty: Pty): StartChild =>
  async ({ command, args, cwd, env }, sink) => {
    const options = { name: TERMINAL, cols: COLUMNS, rows: ROWS, cwd, env, encoding: null }
    const child = pty.spawn(command, [...args], options)
    const letGo = holdOpen(child.ptsName)
    const group = processGroup(child.pid)
    let isReleased = false
    child.onData(data => {
      if (!isReleased) sink.stdout(Buffer.from(data))
    })
    const ended = new Promise<ChildExit>(resolve => {
      child.onExit(({ exitCode, signal }) => {
        group.leaderEnded()
        letGo()
        const name = signalName(signal)
        resolve(name === null ? { exitCode, signal: null } : { exitCode: null, signal: name })
      })
    })
    return {
      pid: child.pid,
      ended,
      signal: group.signal,
      release: () => {
        isReleased = true
      },
    }
  }

/** An agent's child: stdin and stdout on a pseudo-terminal, which makes it the leader of a session and of a process group. */
import { closeSync, constants as files, openSync } from 'node:fs'
import { constants } from 'node:os'
import { SKILL_CLOSE_GRACE_MS, SKILL_TERMINAL_COLUMNS } from '../../contracts/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ChildExit, StartChild } from './child.ts'
import { processGroup } from './process-group.ts'
import type { Pty, PtyProcess } from './pty.ts'
import { openStderrPipe, type StderrPipe } from './stderr-pipe.ts'

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

export interface TerminalOptions {
  pty: Pty
  clock: Clock
  /** The path at which the pipe of the child's stderr exists for a moment. */
  stderrPath: string
}

const spawnOn = (pty: Pty, pipe: StderrPipe, { command, args, cwd, env }: Parameters<StartChild>[0]): PtyProcess => {
  const options = { name: TERMINAL, cols: SKILL_TERMINAL_COLUMNS, rows: ROWS, cwd, env, encoding: null }
  try {
    return pty.spawn(...pipe.wrap(command, args, env), options)
  } catch (error) {
    pipe.release()
    throw error
  }
}

export const startOnTerminal =
  ({ pty, clock, stderrPath }: TerminalOptions): StartChild =>
  async (plan, sink) => {
    const pipe = await openStderrPipe(stderrPath, sink.stderr)
    const child = spawnOn(pty, pipe, plan)
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
        pipe.childEnded()
        const name = signalName(signal)
        const exit = name === null ? { exitCode, signal: null } : { exitCode: null, signal: name }
        // Something that it sent away may hold its stderr for ever. What is in it by now is read before that counts.
        const grace = clock.at(clock.now() + SKILL_CLOSE_GRACE_MS, () => setImmediate(() => resolve(exit)))
        void pipe.closed.then(() => {
          grace.cancel()
          resolve(exit)
        })
      })
    })
    return {
      pid: child.pid,
      ended,
      signal: group.signal,
      release: () => {
        isReleased = true
        pipe.release()
      },
    }
  }

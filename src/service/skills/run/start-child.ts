/** Starts the child of a run: a script on pipes, or an agent on a pseudo-terminal, each the leader of a process group. */
import { closeSync, constants as files, openSync } from 'node:fs'
import { constants } from 'node:os'
import { SKILL_CLOSE_GRACE_MS, SKILL_TERMINAL_COLUMNS } from '../../../contracts/limits/limits.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import type { ChildPlan } from './child-plan.ts'
import { processGroup } from './child-processes.ts'
import type { ChildSystem } from './child-system.ts'
import type { Pty, PtyProcess } from './pty.ts'
import { openStderrPipe, type StderrPipe } from './stderr-pipe.ts'

export interface ChildExit {
  /** Null when a signal ended it. */
  exitCode: number | null
  signal: string | null
}

export interface Child {
  pid: number
  /** Resolves when it has ended and its output is there, or as much of it as will come. */
  ended: Promise<ChildExit>
  /** To its whole process group. */
  signal(name: NodeJS.Signals): void
  /** Lets go of its output, even if another process holds the other end. */
  release(): void
}

/** Rejects when the program cannot be started. */
type StartChild = (
  plan: ChildPlan,
  sink: { stdout(bytes: Buffer): void; stderr(bytes: Buffer): void },
) => Promise<Child>

interface PipedOptions {
  clock: Clock
  system: Pick<ChildSystem, 'spawn' | 'kill'>
}

export const startPiped =
  ({ clock, system }: PipedOptions): StartChild =>
  ({ command, args, cwd, env }, sink) =>
    new Promise<Child>((resolve, reject) => {
      const child = system.spawn(command, args, { cwd, env })
      const group = child.pid === undefined ? undefined : processGroup(child.pid, system)
      child.stdout.on('data', sink.stdout)
      child.stderr.on('data', sink.stderr)

      const ended = new Promise<ChildExit>(settle => {
        let grace: Timer | undefined
        child.on('exit', (exitCode, signal) => {
          group?.leaderEnded()
          // Something that it sent away may hold the pipes for ever. What is in them by now is read before that counts.
          const answer = () => clock.soon(() => settle({ exitCode, signal }))
          grace = clock.at(clock.now() + SKILL_CLOSE_GRACE_MS, answer)
        })
        child.on('close', (exitCode, signal) => {
          grace?.cancel()
          settle({ exitCode, signal })
        })
      })

      const release = () => {
        child.stdout.destroy()
        child.stderr.destroy()
        child.unref()
      }
      child.on('error', reject)
      child.on('spawn', () => {
        const { pid } = child
        if (pid === undefined || !group) reject(new Error('the child has no process id'))
        else resolve({ pid, ended, signal: group.signal, release })
      })
    })

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

interface TerminalOptions {
  pty: Pty
  clock: Clock
  /** The path at which the pipe of the child's stderr exists for a moment. */
  stderrPath: string
  system: Pick<ChildSystem, 'kill'>
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
  ({ pty, clock, stderrPath, system }: TerminalOptions): StartChild =>
  async (plan, sink) => {
    const pipe = await openStderrPipe(stderrPath, sink.stderr)
    const child = spawnOn(pty, pipe, plan)
    const letGo = holdOpen(child.ptsName)
    const group = processGroup(child.pid, system)
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
        const grace = clock.at(clock.now() + SKILL_CLOSE_GRACE_MS, () => clock.soon(() => resolve(exit)))
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

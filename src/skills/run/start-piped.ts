/** A script's child: a process group of its own, no input, stdout and stderr through pipes. */
import { spawn } from 'node:child_process'
import { SKILL_CLOSE_GRACE_MS } from '../../contracts/limits.ts'
import type { Clock, Timer } from '../../runtime/clock.ts'
import type { Child, ChildExit, StartChild } from './child.ts'
import { processGroup } from './process-group.ts'

export const startPiped =
  (clock: Clock): StartChild =>
  ({ command, args, cwd, env }, sink) =>
    new Promise<Child>((resolve, reject) => {
      const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      const group = child.pid === undefined ? undefined : processGroup(child.pid)
      child.stdout.on('data', sink.stdout)
      child.stderr.on('data', sink.stderr)

      const ended = new Promise<ChildExit>(settle => {
        let grace: Timer | undefined
        child.on('exit', (exitCode, signal) => {
          group?.leaderEnded()
          // Something that it sent away may hold the pipes for ever. What is in them by now is read before that counts.
          const answer = () => setImmediate(() => settle({ exitCode, signal }))
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

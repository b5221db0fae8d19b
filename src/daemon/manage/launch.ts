/** The port `launch`: spawns the internal run process, detached, and waits until it answers /ping. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { LaunchInput } from '../../../machines/daemon.ts'
import { DAEMON_POLL_MS, DAEMON_READY_MS } from '../../contracts/limits.ts'
import { pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { prepareHome } from '../home.ts'
import { rawDeviceId } from '../key.ts'
import { lastWords, openLog } from '../log.ts'
import { socketPathProblem } from '../paths.ts'
import { END, KILL } from '../signals.ts'
import { removeStaleSocket, socketObstacle } from '../socket-file.ts'
import { find } from './find.ts'
import type { Errand } from './request.ts'

/** For a process that did not come up in time and is told to end. */
const LEAVE_MS = 500

interface Launched {
  /** Where its part of the log begins. */
  from: number
  hasEnded(): boolean
  /** Why it could not be spawned. */
  problem(): string | undefined
  end(): Promise<void>
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const argsOf = ({ program, device, operatorPackage }: Errand): string[] => [
  ...program.args,
  'daemon',
  'run',
  // Joined, so that no value is taken for a flag.
  ...(rawDeviceId(device) === '' ? [] : [`--device=${device}`]),
  ...(operatorPackage === undefined ? [] : [`--operator-package=${operatorPackage}`]),
]

/** Our own child, known by its handle: no process that took over its pid can be meant. */
const endChild = async (child: ChildProcess, hasEnded: () => boolean, { clock }: Errand): Promise<void> => {
  child.kill(END)
  const began = clock.elapsed()
  while (!hasEnded() && clock.elapsed() - began < LEAVE_MS) await pause(clock, DAEMON_POLL_MS / 4)
  if (!hasEnded()) child.kill(KILL)
}

/** One that a skill's script happens to start outlives the run, and is not part of it. */
const inherited = (env: Errand['program']['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SVC_SKILL_')))

/** Throws what the system says. */
const launch = (errand: Errand): Launched => {
  const { paths, program } = errand
  const { fd, from } = openLog(paths.log)
  try {
    const child = spawn(program.path, argsOf(errand), {
      detached: true,
      stdio: ['ignore', fd, fd],
      cwd: paths.home,
      env: { ...inherited(program.env), SVC_HOME: paths.home },
    })
    let problem: string | undefined
    child.once('error', error => {
      problem = error.message
    })
    child.unref()
    const hasEnded = () => problem !== undefined || child.exitCode !== null || child.signalCode !== null
    return { from, hasEnded, problem: () => problem, end: () => endChild(child, hasEnded, errand) }
  } finally {
    closeSync(fd)
  }
}

/** What is in the way of a launch, said before anything is spawned. */
const obstacle = (errand: Errand, removesStale: boolean): string | undefined => {
  const { paths, found } = errand
  const problem = socketPathProblem(paths.socket) ?? prepareHome(paths) ?? socketObstacle(paths.socket)
  if (problem) return problem
  return removesStale && found?.sight.kind === 'refused' ? removeStaleSocket(paths.socket, found.stamp) : undefined
}

export const launchPort =
  (errand: Errand): Port<LaunchInput> =>
  async ({ removeStaleSocket: removesStale }, { send, signal }) => {
    const { clock, paths, found } = errand
    const failed = (message: string) => send({ type: 'daemon.failed', message })
    const problem = obstacle(errand, removesStale)
    if (problem) return void failed(problem)
    // A daemon of ours holds the socket and does not answer yet, or is frozen: a second one would take it away.
    const isHeld = found?.sight.kind === 'mute' && found.owner !== undefined
    let launched: Launched | undefined
    try {
      launched = isHeld ? undefined : launch(errand)
    } catch (error) {
      return void failed(`the background process cannot be spawned: ${messageOf(error)}`)
    }

    const began = clock.elapsed()
    while (!signal.aborted) {
      const { finding, owner } = await find({ ...errand, ask: 'start' })
      if (finding === 'managed' && owner) return void send({ type: 'daemon.ready', pid: owner.pid })
      if (launched?.hasEnded()) {
        const said = launched.problem() ?? lastWords(paths.log, launched.from) ?? 'it said nothing'
        return void failed(`the background process ended at once: ${said}`)
      }
      if (clock.elapsed() - began >= DAEMON_READY_MS) break
      await pause(clock, DAEMON_POLL_MS, signal)
    }
    if (signal.aborted) return
    await launched?.end()
    const who = isHeld ? `process ${found?.owner?.pid} holds the socket and` : 'the background process'
    failed(`${who} did not answer /ping within ${DAEMON_READY_MS} ms`)
  }

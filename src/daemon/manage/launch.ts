/** The ports `launch` and `abandon`: spawns the internal run process, detached, and ends one that did not come up. */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { LaunchInput } from '../../../machines/daemon-setup.ts'
import { DAEMON_POLL_MS, DAEMON_READY_MS } from '../../contracts/limits.ts'
import { sharedChildEnv } from '../../runtime/child-env.ts'
import { pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Port } from '../../runtime/port.ts'
import { prepareHome } from '../home.ts'
import { lastWords, openLog } from '../log.ts'
import { rawDeviceId, socketPathProblem } from '../paths.ts'
import { removeStaleSocket, socketObstacle } from '../socket-file.ts'
import type { RequestState, RunProcess } from './request.ts'

/** A process that did not come up in time is told to end, and gets this long. */
const LEAVE_MS = 500

const argsOf = ({ program, device, operatorPackage }: RequestState): string[] => [
  ...program.args,
  'daemon',
  'run',
  // Joined, so that no value is taken for a flag.
  ...(rawDeviceId(device) === '' ? [] : [`--device=${device}`]),
  ...(operatorPackage === undefined ? [] : [`--operator-package=${operatorPackage}`]),
]

/** Throws what the system says. */
const spawnRun = (state: RequestState): RunProcess => {
  const { paths, program } = state
  const { fd, from } = openLog(paths.log)
  try {
    const child = spawn(program.path, argsOf(state), {
      detached: true,
      stdio: ['ignore', fd, fd],
      cwd: paths.home,
      env: { ...sharedChildEnv(program.env), SVC_HOME: paths.home },
    })
    let problem: string | undefined
    child.once('error', error => {
      problem = error.message
    })
    child.unref()
    return {
      logFrom: from,
      hasEnded: () => problem !== undefined || child.exitCode !== null || child.signalCode !== null,
      problem: () => problem,
      kill: signal => void child.kill(signal),
    }
  } finally {
    closeSync(fd)
  }
}

/** Finds what prevents a launch, before anything is spawned. */
const obstacle = ({ paths, probed }: RequestState, removesStale: boolean): string | undefined => {
  const problem = socketPathProblem(paths.socket) ?? prepareHome(paths) ?? socketObstacle(paths.socket)
  if (problem) return problem
  return removesStale && probed?.found === 'refused' ? removeStaleSocket(paths.socket, probed.stamp) : undefined
}

export const launchPort =
  (state: RequestState): Port<LaunchInput> =>
  async ({ removeStaleSocket: removesStale }, { send, signal }) => {
    const { clock, paths } = state
    const failed = (message: string) => void send({ type: 'daemon.failed', message })
    const problem = obstacle(state, removesStale)
    if (problem) return failed(problem)
    try {
      state.launched = spawnRun(state)
    } catch (error) {
      return failed(`the background process cannot be spawned: ${messageOf(error)}`)
    }
    const { launched } = state
    while (!signal.aborted && !launched.hasEnded()) await pause(clock, DAEMON_POLL_MS, signal)
    if (signal.aborted) return
    const said = launched.problem() ?? lastWords(paths.log, launched.logFrom) ?? 'it printed nothing'
    failed(`the background process exited at once: ${said}`)
  }

export const abandonPort =
  (state: RequestState): Port =>
  async (_, { send }) => {
    const { launched, clock } = state
    launched?.kill('SIGTERM')
    const began = clock.elapsed()
    while (launched && !launched.hasEnded() && clock.elapsed() - began < LEAVE_MS)
      await pause(clock, DAEMON_POLL_MS / 4)
    if (!launched?.hasEnded()) launched?.kill('SIGKILL')
    await send({
      type: 'daemon.failed',
      message: `the background process did not answer /ping within ${DAEMON_READY_MS} ms`,
    })
  }

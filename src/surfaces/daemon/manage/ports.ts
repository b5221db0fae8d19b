/** The ports of the daemon machine: probe, launch, ready, abandon, terminate. A process that is not ours is never signalled. */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { DaemonAsk, LaunchInput, TerminateInput } from '../../../../machines/daemon/daemon-setup.ts'
import { DAEMON_POLL_MS, DAEMON_READY_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { deadlinePort, type Port } from '../../../runtime/port.ts'
import { sharedChildEnv } from '../../../runtime/processes/child-env.ts'
import { isRunning, type Owner, removeMetadata } from '../identity.ts'
import { lastWords, openLog } from '../log.ts'
import { type DaemonPaths, prepareHome, rawDeviceId, socketPathProblem } from '../paths.ts'
import { type ProbeResult, probeDaemon } from '../probe.ts'
import { removeStaleSocket, socketObstacle } from '../socket-file.ts'

/** How this CLI is run: `daemon run` and its flags are added. */
export interface Program {
  path: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** The ports of one request share this state, because the machine knows only what the journal may hold. */
export interface RequestState {
  clock: Clock
  program: Program
  ask: DaemonAsk
  /** Both come from the request and apply to a daemon that is started. */
  device?: string | undefined
  operatorPackage?: string | undefined
  paths: DaemonPaths
  /** The newest one; undefined once the process that was found has ended. */
  probed?: ProbeResult | undefined
  launched?: RunProcess | undefined
}

const probePort =
  (state: RequestState): Port =>
  async (_, { send }) => {
    const probed = await probeDaemon(state.paths, state.clock)
    state.probed = probed
    await send({ type: 'probe.answered', found: probed.found, pid: probed.owner?.pid ?? null })
  }

/** Until the managed daemon answers, or nobody waits for it any more. */
const readyPort =
  (state: RequestState): Port =>
  async (_, { send, signal }) => {
    while (!signal.aborted) {
      const { found, owner } = await probeDaemon(state.paths, state.clock)
      if (found === 'managed' && owner) return void (await send({ type: 'daemon.ready', pid: owner.pid }))
      await pause(state.clock, DAEMON_POLL_MS, signal)
    }
  }

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

/** Our own child, known by its handle: no process that took over its pid can be meant. Throws what the system says. */
const spawnRun = (state: RequestState) => {
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
      /** The offset at which its part of the log begins. */
      logFrom: from,
      hasEnded: () => problem !== undefined || child.exitCode !== null || child.signalCode !== null,
      /** Why it could not be spawned. */
      problem: (): string | undefined => problem,
      kill: (signal: NodeJS.Signals) => void child.kill(signal),
    }
  } finally {
    closeSync(fd)
  }
}

export type RunProcess = ReturnType<typeof spawnRun>

/** Finds what prevents a launch, before anything is spawned. */
const obstacle = ({ paths, probed }: RequestState, removesStale: boolean): string | undefined => {
  const problem = socketPathProblem(paths.socket) ?? prepareHome(paths) ?? socketObstacle(paths.socket)
  if (problem) return problem
  return removesStale && probed?.found === 'refused' ? removeStaleSocket(paths.socket, probed.stamp) : undefined
}

const launchPort =
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
    const reason = launched.problem() ?? lastWords(paths.log, launched.logFrom) ?? 'it printed nothing'
    failed(`the background process exited at once: ${reason}`)
  }

const abandonPort =
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

const END_POLL_MS = 20
/** How long a dead process may keep its socket. */
const CLEAN_MS = 1_000

/**
 * Probes until the socket is refused, or somebody else's. A process of several threads counts as dead with its first one;
 * the others may hold its files a moment longer, and connections are taken that nobody will answer.
 */
const probeLeft = async ({ paths, clock }: RequestState) => {
  const began = clock.elapsed()
  for (;;) {
    const probed = await probeDaemon(paths, clock)
    if (probed.found !== 'silent' || clock.elapsed() - began >= CLEAN_MS) return probed
    await pause(clock, END_POLL_MS)
  }
}

/** Removes the files of a killed daemon. A socket on which something answers belongs to somebody else by now. */
const cleanUp = async (owner: Owner, state: RequestState): Promise<string | undefined> => {
  const { paths } = state
  const { found, stamp } = await probeLeft(state)
  const problem = found === 'refused' ? removeStaleSocket(paths.socket, stamp) : undefined
  removeMetadata(paths.metadata, owner.instanceId)
  return problem
}

/** One signal, then the wait for the end of the process. How long that may take, and what follows, is the machine's. */
const terminatePort =
  (state: RequestState): Port<TerminateInput> =>
  async ({ signal: name }, { send, signal }) => {
    const { clock, probed } = state
    const owner = probed?.owner
    const stuck = (message: string) => void send({ type: 'daemon.stuck', message })
    if (!owner) return stuck('the process that is to be ended is not known')
    try {
      // Looks once more who the pid belongs to: the probe may be a while ago.
      if (isRunning(owner)) process.kill(owner.pid, name)
      while (!signal.aborted && isRunning(owner)) await pause(clock, END_POLL_MS, signal)
      if (signal.aborted) return
      const problem = await cleanUp(owner, state)
      if (problem) return stuck(`the daemon has ended, and its socket file stayed: ${problem}`)
      state.probed = undefined
      await send({ type: 'daemon.stopped' })
    } catch (error) {
      stuck(`process ${owner.pid} cannot be ended: ${messageOf(error)}`)
    }
  }

export const daemonPorts = (state: RequestState): Readonly<Record<string, Port>> => ({
  probe: probePort(state),
  launch: launchPort(state) as Port,
  ready: readyPort(state),
  abandon: abandonPort(state),
  terminate: terminatePort(state) as Port,
  deadline: deadlinePort(state.clock) as Port,
})

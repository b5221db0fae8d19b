/** The way to the daemon of this user: the one that runs, else one that is started by the program of this package. */
import { execFile } from 'node:child_process'
import { EXPECT_INSTANCE_HEADER } from '../../contracts/doors/headers.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Environment, homeOf } from '../../runtime/home.ts'
import { exchange, type Place } from '../../runtime/http-exchange.ts'
import { sharedChildEnv } from '../../runtime/processes/child-env.ts'
import { daemonDifference, restartCommand } from '../daemon/client/other-environment.ts'
import { buildIdentityOf, environmentOf, isSameVersion, liveOwner, parseVersion } from '../daemon/identity.ts'
import { daemonPaths, homeProblem, rawDeviceId, socketPathProblem } from '../daemon/paths.ts'
import type { Door } from './door.ts'
import { readObject } from './outside.ts'
import { errorOf, SvcError } from './svc-error.ts'

export interface DaemonDoorOptions {
  clock: Clock
  env: Environment
  /** The program `svc`. */
  program: string
  device: string | undefined
}

/** Longer than a daemon may take to become ready. */
export const START_MS = 60_000
const OUTPUT_BYTES_MAX = 1_024 * 1_024
const PROBE_MS = 3_000

const failed = (message: string, hint = 'See why with svc doctor, or start it with svc daemon start.') =>
  new SvcError({ code: 'DAEMON_START_FAILED', message, hint, dispatched: false, retriable: true })

/** Resolves when `svc daemon start` says that the daemon is ready. */
const startDaemon = ({ program, env, device }: DaemonDoorOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = [program, 'daemon', 'start', '--output', 'json', ...(device === undefined ? [] : ['--device', device])]
    const options = {
      env: sharedChildEnv(env),
      timeout: START_MS,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_BYTES_MAX,
    } as const
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const printed = readObject(stdout)
      if (error === null && printed !== undefined) return resolve()
      if (typeof printed?.code === 'string') return reject(errorOf(printed, { otherwise: false }))
      const why = stderr.trim() || error?.message || 'it printed no JSON'
      reject(failed(`The daemon could not be started by ${program}: ${why}`))
    })
  })

/** True where nothing says that the program is another build than the daemon's. */
const isBuildOf = (program: string, versionBody: string): boolean => {
  const theirs = parseVersion(versionBody)
  const buildIdentity = buildIdentityOf(program)
  if (theirs === undefined || buildIdentity.size === null) return true
  return isSameVersion(theirs, { ...theirs, buildIdentity })
}

export const daemonDoor = (options: DaemonDoorOptions): Door => {
  const { clock, env, device } = options
  const paths = daemonPaths(homeOf(env), device)

  /** Undefined where no daemon of this home answers. */
  const look = async (): Promise<{ place: Place; isOfBuild: boolean } | undefined> => {
    const owner = liveOwner(paths.metadata)
    if (owner === undefined) return undefined
    const [theirs, ours] = [owner.environment ?? environmentOf(env), environmentOf(env)]
    if (theirs !== ours) {
      const { problem, command } = daemonDifference(theirs, ours, owner.rawDeviceId)
      throw failed(`The daemon cannot be used: ${problem}.`, `Give it yours with ${command}, or use another SVC_HOME.`)
    }
    const place = { socketPath: paths.socket, headers: { [EXPECT_INSTANCE_HEADER]: owner.instanceId } }
    const message = { method: 'GET', path: '/version', headers: {} }
    const exchanged = await exchange(place, message, { clock, ms: PROBE_MS })
    if (exchanged.kind !== 'done' || exchanged.answer.status !== 200) return undefined
    return { place, isOfBuild: isBuildOf(options.program, exchanged.answer.body.toString()) }
  }

  const running = async (): Promise<Place | undefined> => (await look())?.place

  const find = async (): Promise<Place> => {
    const problem = homeProblem(paths) ?? socketPathProblem(paths.socket)
    if (problem !== undefined) throw failed(`No daemon can be used: ${problem}.`, 'Set SVC_HOME to a folder of yours.')
    const found = await look()
    if (found?.isOfBuild) return found.place
    // `svc daemon start` leaves a daemon that runs as it is.
    if (found) {
      const command = restartCommand(rawDeviceId(device))
      throw failed('The daemon that runs is of another build of svc.', `Replace it with ${command}.`)
    }
    await startDaemon(options)
    const started = await running()
    if (started === undefined) throw failed('The daemon was started and is gone again.')
    return started
  }

  let known: Promise<Place> | undefined
  const forget = () => {
    known = undefined
    return true
  }
  return {
    name: paths.socket,
    mayChooseIds: true,
    sharesFiles: true,
    place() {
      if (known !== undefined) return known
      const finding = find()
      known = finding
      // The next call looks again.
      finding.catch(() => {
        if (known === finding) known = undefined
      })
      return finding
    },
    running,
    forget,
    unreachable: why => failed(`The daemon cannot be reached: ${why}.`),
  }
}

/** Finds the server of a connection: the one that is named, else that of the environment, else the daemon or the server that runs. */

import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Environment, homeOf } from '../../runtime/home.ts'
import { exchange } from '../../runtime/http-exchange.ts'
import { announcedServers } from '../../runtime/processes/announced-servers.ts'
import { environmentOf, liveOwner } from '../daemon/identity.ts'
import { daemonPaths, homeProblem } from '../daemon/paths.ts'
import { createAsk, followed } from './ask.ts'
import { daemonDoor, START_MS } from './daemon-door.ts'
import { type Door, serverDoor } from './door.ts'
import { packagedProgram, processEnvironment } from './environment.ts'
import { misuse } from './options.ts'
import { asRecord, type Signal } from './outside.ts'
import { createSvc, type Svc } from './svc.ts'

export interface ConnectOptions {
  /** The address of `svc serve`, such as `http://127.0.0.1:3000`. Without it: SVC_URL, else the daemon or the `svc serve` of this user that runs, else a daemon is started. */
  url?: string | undefined
  /** Of a server on another machine. Without it: SVC_SERVE_TOKEN. */
  token?: string | undefined
  /** The phone that calls mean which name none; the daemon is then the one of that phone, as with `--device`. */
  device?: string | undefined
  /** Carries the actions out where a call names none. Without it: SVC_OPERATOR_PACKAGE. */
  operatorPackage?: string | undefined
  /** Variables that stand above those of this process, such as `env` of simulated phones. */
  env?: Environment | undefined
  signal?: Signal | undefined
}

/** What a connection takes from its process. @internal */
export interface Surroundings {
  env: Environment
  /** The program `svc`. */
  program: string
  clock: Clock
}

const REACH_MS = 15_000
const PROBE_MS = 3_000

/** The address of a server of this home that sees the same devices and answers; undefined where none does. */
const runningServer = async ({ env, clock }: Surroundings, leave: AbortSignal): Promise<string | undefined> => {
  for (const { url, environment } of announcedServers(homeOf(env))) {
    if (environment !== environmentOf(env)) continue
    const place = { url: new URL(url), headers: {} }
    const probed = await exchange(place, { method: 'GET', path: '/ping', headers: {} }, { clock, ms: PROBE_MS, leave })
    if (probed.kind === 'done' && probed.answer.status === 200) return url
  }
  return undefined
}

const doorOf = async ({ url, token, device, signal }: ConnectOptions, surroundings: Surroundings): Promise<Door> => {
  const { env, program, clock } = surroundings
  const address = url ?? (env.SVC_URL || undefined)
  if (address !== undefined) return serverDoor(address, token ?? (env.SVC_SERVE_TOKEN || undefined))
  const paths = daemonPaths(homeOf(env), device)
  const isOurs = homeProblem(paths) === undefined
  const daemon = () => daemonDoor({ clock, env, program, device })
  if (!isOurs || liveOwner(paths.metadata) !== undefined) return daemon()
  const { controller, release } = followed(signal)
  const server = await runningServer(surroundings, controller.signal).finally(release)
  return server === undefined ? daemon() : serverDoor(server, undefined, true)
}

/** @internal */
export const connectFrom = async (
  options: ConnectOptions,
  { clock, program, ...surroundings }: Surroundings,
): Promise<Svc> => {
  if (asRecord(options) === undefined) throw misuse('The options of connect must be an object, such as { url }.')
  const env = { ...surroundings.env, ...options.env }
  const door = await doorOf(options, { env, program, clock })
  // A server that is not there, or wants a token, is found out now.
  const timeoutMs = door.mayChooseIds ? START_MS + REACH_MS : REACH_MS
  const version = await createAsk(door, clock)('server.version', {}, { signal: options.signal, timeoutMs })
  return createSvc({
    door,
    clock,
    memory: version.journal,
    device: options.device ?? (env.SVC_DEVICE_ID || undefined),
    operatorPackage: options.operatorPackage ?? (env.SVC_OPERATOR_PACKAGE || undefined),
  })
}

/** Connects to the server at `url`, to that of SVC_URL, or to the daemon or server of this user that runs; where none does, the daemon is started. */
export const connect = (options: ConnectOptions = {}): Promise<Svc> =>
  connectFrom(options, { env: processEnvironment(), program: packagedProgram(), clock: systemClock() })

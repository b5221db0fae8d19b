/** Finds the server of a connection: the one that is named, else the one of the environment, else the daemon of this user. */
import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/home.ts'
import { createAsk } from './ask.ts'
import { daemonDoor } from './daemon-door.ts'
import type { Door } from './door.ts'
import { packagedProgram, processEnvironment } from './environment.ts'
import type { Signal } from './outside.ts'
import { serverDoor } from './server-door.ts'
import { createSvc, type Svc } from './svc.ts'

export interface ConnectOptions {
  /** The address of `svc serve`, such as `http://127.0.0.1:3000`. Without it: SVC_URL, else the daemon of this machine, which is started where none runs. */
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

const doorOf = ({ url, token, device }: ConnectOptions, { env, program, clock }: Surroundings): Door => {
  const address = url ?? (env.SVC_URL || undefined)
  if (address === undefined) return daemonDoor({ clock, env, program, device })
  return serverDoor(address, token ?? (env.SVC_SERVE_TOKEN || undefined))
}

/** @internal */
export const connectFrom = async (options: ConnectOptions, { clock, program, ...own }: Surroundings): Promise<Svc> => {
  const env = { ...own.env, ...options.env }
  const door = doorOf(options, { env, program, clock })
  // A server that is not there, or wants a token, is found out now.
  await createAsk(door, clock)('server.version', {}, { signal: options.signal, timeoutMs: REACH_MS })
  return createSvc({
    door,
    clock,
    device: options.device ?? (env.SVC_DEVICE_ID || undefined),
    operatorPackage: options.operatorPackage ?? (env.SVC_OPERATOR_PACKAGE || undefined),
  })
}

/** Connects to the server at `url`, to that of SVC_URL, or to the daemon of this machine, which is started where none runs. */
export const connect = (options: ConnectOptions = {}): Promise<Svc> =>
  connectFrom(options, { env: processEnvironment(), program: packagedProgram(), clock: systemClock() })

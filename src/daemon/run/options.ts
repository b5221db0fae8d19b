/** The dependencies of `svc daemon run` on the rest of the program. */
import type { ErrorObject } from '../../contracts/error.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Version } from '../build-identity.ts'
import type { OnRequest } from './activity.ts'

export interface ServedSocket {
  /** Takes nothing new, ends the streams, waits so long for answers in the making, then ends every connection. */
  close(options: { graceMs: number }): Promise<void>
}

export type Served = { ok: true; server: ServedSocket } | { ok: false; error: ErrorObject }

export interface DaemonRunOptions {
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** The raw `--device` value. */
  device: string | undefined
  /** The file that the CLI was started from. */
  cliEntryPath: string
  environment: string
  /** The version of this process when it started. */
  version: Version
  clock: Clock
  ids: Ids
  journal(): Journal
  /** Ends itself after so long without a request; 0 is never. */
  idleMs: number
  /** How often it checks whether to end. */
  checkMs?: number
  /** Serves the HTTP app on the path, this user's alone. `onRequest` is called before anything else is done with a request. */
  serve(options: { path: string; onRequest: OnRequest }): Promise<Served>
  /** True when the device that it was started for is listed, in any state; absent when it was started for none. */
  isDeviceKnown?: (() => Promise<boolean>) | undefined
  /** How many executions run, also those that no open request waits for. */
  inFlight(): number
  /** Takes no new executions, waits so long for those that run, and records the rest as interrupted. Safe to call again. */
  stopExecutions(options: { graceMs: number }): Promise<unknown>
  /** A line for the log. */
  note(text: string): void
  /** SIGTERM, SIGINT or SIGHUP. */
  signal: AbortSignal
}

export type DaemonEnd = 'told to end' | 'idle' | 'retired' | 'socket gone' | 'device not found'

export type DaemonRan = { ok: true; end: DaemonEnd } | { ok: false; error: ErrorObject }

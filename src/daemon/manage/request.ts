/** One request about the daemon of one key, and what answering it takes. */
import type { DaemonAsk } from '../../../machines/daemon-setup.ts'
import type { DaemonReport } from '../../contracts/daemon.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { DaemonPaths } from '../paths.ts'
import type { ProbeResult } from '../probe.ts'

export interface DaemonRequest {
  ask: DaemonAsk
  /** The raw `--device` value. */
  device: string | undefined
  /** Applies to the daemon that may be started. */
  operatorPackage?: string | undefined
  /** The caller holds the lifecycle lock. */
  isLocked?: boolean
  signal?: AbortSignal | undefined
}

export interface DaemonsOptions {
  /** `~/.svc`, or SVC_HOME. */
  home: string
  clock: Clock
  ids: Ids
  /** The journal of the lifecycle; throws JournalError when it cannot be opened. */
  journal(): Journal
  /** How this CLI is run: `daemon run` and its flags are added. */
  program: { path: string; args: readonly string[]; env: Readonly<Record<string, string | undefined>> }
  /** A line for a person. */
  note(text: string): void
}

export type Managed = { ok: true; daemon: DaemonReport } | { ok: false; error: ErrorObject }

/** Our own child, known by its handle: no process that took over its pid can be meant. */
export interface RunProcess {
  /** The offset at which its part of the log begins. */
  logFrom: number
  hasEnded(): boolean
  /** Why it could not be spawned. */
  problem(): string | undefined
  kill(signal: NodeJS.Signals): void
}

/** The ports of one request share this state, because the machine knows only what the journal may hold. */
export interface RequestState extends Pick<DaemonsOptions, 'clock' | 'program'> {
  ask: DaemonAsk
  /** Both come from the request and apply to a daemon that is started. */
  device?: string | undefined
  operatorPackage?: string | undefined
  paths: DaemonPaths
  /** The newest one; undefined once the process that was found has ended. */
  probed?: ProbeResult | undefined
  launched?: RunProcess | undefined
}

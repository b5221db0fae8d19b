/** `svc daemon run`: the HTTP app on a Unix socket, from its socket to its end. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { DAEMON_READY_MS, SHUTDOWN_GRACE_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import type { Version } from '../identity.ts'
import { recordEnd, recordStatus } from '../manage/lifecycle.ts'
import { type DaemonPaths, daemonPaths, rawDeviceId } from '../paths.ts'
import { draftSocket } from '../socket-file.ts'
import { type DaemonEnd, type EndOptions, watchForEnd } from './end.ts'
import { claimSocket, metadataOf, type Published, publish } from './publish.ts'
import { createActivity, createPrecondition, type OnRequest } from './requests.ts'

export interface ServedSocket {
  /** Takes nothing new, ends the streams, waits so long for answers in the making, then ends every connection. */
  close(options: { graceMs: number }): Promise<void>
}

export type ServeResult = { ok: true; server: ServedSocket } | { ok: false; error: ErrorObject }

export interface DaemonRunOptions
  extends Pick<EndOptions, 'idleMs' | 'isDeviceKnown' | 'inFlight' | 'isHolding' | 'note' | 'signal'> {
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
  /** How often it checks whether to end. */
  checkMs?: number
  /** Serves the HTTP app on the path, this user's alone. `onRequest` is called before anything else is done with a request. */
  serve(options: { path: string; onRequest: OnRequest }): Promise<ServeResult>
  /** Takes no new executions, waits so long for those that run, and records the rest as interrupted. Safe to call again. */
  stopExecutions(options: { graceMs: number }): Promise<unknown>
}

export type DaemonRunResult = { ok: true; end: DaemonEnd } | { ok: false; error: ErrorObject }

/** Between two checks of whether to end. */
const CHECK_MS = 5_000
/** A command that was taken still gets its body through. */
const LAST_COMMANDS_MS = 150
/** A caller that waits for an execution gets its outcome before the connection ends. */
const LAST_ANSWERS_MS = 500

const startFailed = (message: string, { socket }: DaemonPaths): DaemonRunResult => ({
  ok: false,
  error: failure('DAEMON_START_FAILED', message, { details: { socketPath: socket, timeoutMs: DAEMON_READY_MS } }),
})

type BindResult = { ok: true; server: ServedSocket; published: Published } | { ok: false; problem: string }

const bind = async (
  options: DaemonRunOptions,
  paths: DaemonPaths,
  onRequest: OnRequest,
  instanceId: string,
): Promise<BindResult> => {
  const { device, cliEntryPath, environment, clock, serve } = options
  const draft = draftSocket(paths, instanceId)
  const served = await serve({ path: draft, onRequest })
  if (!served.ok)
    return { ok: false, problem: `no socket can be created in ${paths.directory}: ${served.error.message}` }
  const { server } = served
  const facts = { daemonKey: paths.key, cliEntryPath, rawDeviceId: rawDeviceId(device), environment }
  const result = publish(paths, draft, metadataOf({ ...facts, instanceId, startedAt: clock.now() }))
  if (result.ok) return { ok: true, server, published: result.published }
  await server.close({ graceMs: 0 })
  return { ok: false, problem: result.problem }
}

/** Resolves when the daemon has ended and left nothing behind. */
export const runDaemon = async (options: DaemonRunOptions): Promise<DaemonRunResult> => {
  const { home, device, clock, ids, journal, note, idleMs } = options
  const paths = daemonPaths(home, device)
  const claimed = await claimSocket(paths, clock)
  if (!claimed.ok) return startFailed(claimed.problem, paths)
  const instanceId = ids.instance()
  const activity = createActivity(clock)
  let isEnding = false
  const isForUs = createPrecondition({
    instanceId,
    version: options.version,
    isEnding: () => isEnding,
    newExecutionId: () => ids.at(clock.now()),
  })
  const onRequest: OnRequest = (incoming, outgoing) =>
    isForUs(incoming, outgoing) && activity.onRequest(incoming, outgoing)
  const bound = await bind(options, paths, onRequest, instanceId).finally(() => claimed.locked.release())
  if (!bound.ok) return startFailed(bound.problem, paths)
  const { server, published } = bound
  note(`daemon ${paths.key} listens on ${paths.socket} as process ${process.pid}`)
  const records = { paths, clock, ids, journal }
  const unrecorded = (error: unknown) => note(`not recorded: ${String(error)}`)
  void recordStatus(records).catch(unrecorded)

  const checkMs = Math.min(options.checkMs ?? CHECK_MS, idleMs > 0 ? idleMs : CHECK_MS)
  const watch = watchForEnd({ ...options, checkMs, paths, published, activity })
  const end = await watch.end
  note(`daemon ${paths.key} ends: ${end}`)
  // A command that comes now finds no socket, and starts the next daemon beside the end of this one.
  published.removeSocket()
  isEnding = true
  if (activity.pending() > 0) await pause(clock, LAST_COMMANDS_MS)
  watch.onHurry(() => void options.stopExecutions({ graceMs: 0 }))
  await Promise.all([
    options.stopExecutions({ graceMs: SHUTDOWN_GRACE_MS }),
    server.close({ graceMs: SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS }),
  ])
  published.removeMetadata()
  watch.close()
  await recordEnd(records, end).catch(unrecorded)
  return { ok: true, end }
}

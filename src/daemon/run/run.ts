/** `svc daemon run`: the HTTP app on a Unix socket, from taking its place to leaving it in order. */
import { INSTANCE_HEADER } from '../../contracts/daemon.ts'
import { failure } from '../../contracts/failures.ts'
import { DAEMON_READY_MS, SHUTDOWN_GRACE_MS } from '../../contracts/limits.ts'
import { pause } from '../../runtime/clock.ts'
import { rawDeviceId } from '../key.ts'
import { recordLook } from '../manage/lifecycle.ts'
import { type DaemonPaths, daemonPaths } from '../paths.ts'
import { draftSocket } from '../socket-file.ts'
import { createActivity, type OnRequest } from './activity.ts'
import { attend } from './attend.ts'
import type { DaemonRan, DaemonRunOptions, ServedSocket } from './options.ts'
import { findVacancy, metadataOf, type Place, takePlace } from './place.ts'

/** Between two looks around. */
const LOOK_MS = 5_000
/** A caller that has the version already still gets its command through. */
const LAST_COMMANDS_MS = 150
/** Whoever waits for an execution learns what became of it before the connection ends. */
const LAST_ANSWERS_MS = 500

const startFailed = (message: string, { socket }: DaemonPaths): DaemonRan => ({
  ok: false,
  error: failure('DAEMON_START_FAILED', message, { details: { socketPath: socket, timeoutMs: DAEMON_READY_MS } }),
})

type Bound = { ok: true; server: ServedSocket; place: Place } | { ok: false; problem: string }

const bind = async (
  options: DaemonRunOptions,
  paths: DaemonPaths,
  onRequest: OnRequest,
  instanceId: string,
): Promise<Bound> => {
  const { device, cliEntryPath, reach, clock, serve } = options
  const draft = draftSocket(paths, instanceId)
  const served = await serve({ path: draft, onRequest })
  if (!served.ok) return { ok: false, problem: `no socket can be made in ${paths.directory}: ${served.error.message}` }
  const { server } = served
  const facts = { daemonKey: paths.key, cliEntryPath, rawDeviceId: rawDeviceId(device), reach }
  const taken = takePlace(paths, draft, metadataOf({ ...facts, instanceId, startedAt: clock.now() }))
  if (taken.ok) return { ok: true, server, place: taken.place }
  await server.close({ graceMs: 0 })
  return { ok: false, problem: taken.problem }
}

/** Resolves when the daemon has ended and left nothing behind. */
export const runDaemon = async (options: DaemonRunOptions): Promise<DaemonRan> => {
  const { home, device, clock, ids, journal, note, idleMs } = options
  const paths = daemonPaths(home, device)
  const vacancy = await findVacancy(paths, clock)
  if (!vacancy.ok) return startFailed(vacancy.problem, paths)
  const instanceId = ids.instance()
  const activity = createActivity(clock)
  const onRequest: OnRequest = (incoming, outgoing) => {
    outgoing.setHeader(INSTANCE_HEADER, instanceId)
    activity.onRequest(incoming, outgoing)
  }
  const bound = await bind(options, paths, onRequest, instanceId).finally(() => vacancy.locked.release())
  if (!bound.ok) return startFailed(bound.problem, paths)
  const { server, place } = bound
  note(`daemon ${paths.key} listens on ${paths.socket} as process ${process.pid}`)
  const record = () =>
    recordLook({ paths, clock, ids, journal }).catch((error: unknown) => note(`not recorded: ${String(error)}`))
  void record()

  const lookMs = Math.min(options.lookMs ?? LOOK_MS, idleMs > 0 ? idleMs : LOOK_MS)
  const attendance = attend({ ...options, lookMs, paths, place, activity })
  const end = await attendance.end
  note(`daemon ${paths.key} ends: ${end}`)
  // Whoever comes now finds no socket, and starts the next daemon beside the end of this one.
  place.leaveSocket()
  if (activity.quietMs() < LAST_COMMANDS_MS) await pause(clock, LAST_COMMANDS_MS)
  attendance.onHurry(() => void options.stopExecutions({ graceMs: 0 }))
  await Promise.all([
    options.stopExecutions({ graceMs: SHUTDOWN_GRACE_MS }),
    server.close({ graceMs: SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS }),
  ])
  place.leaveMetadata()
  attendance.close()
  await record()
  return { ok: true, end }
}

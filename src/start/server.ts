/** The root of a process that runs on: HTTP on TCP or on a Unix socket, MCP on its streams, and the upkeep of both. */

import type { FleetServeOptions } from '../fleet/deps.ts'
import { homeIdentity } from '../runtime/home-identity.ts'
import { startJournalUpkeep, type UpkeepTask } from '../runtime/journal/upkeep.ts'
import { messageOf } from '../runtime/message-of.ts'
import { removeLeftFolders } from '../runtime/temporary-folders.ts'
import { createPool } from '../runtime/threads/pool.ts'
import { threadFile } from '../runtime/threads/thread-file.ts'
import type { Service } from '../service/service.ts'
import type { CommandParts, Servers } from '../surfaces/command-parts.ts'
import { buildIdentityOf } from '../surfaces/daemon/identity.ts'
import type { App } from '../surfaces/http/module.ts'
import type { RunningServer } from '../surfaces/http/server.ts'
import type { FleetParts, FleetPartsOptions } from './fleet.ts'
import type { ListenerParts } from './listener.ts'
import { createRecovery } from './recovery.ts'
import type { World } from './world.ts'

export interface ServerRootOptions extends Pick<FleetPartsOptions, 'leaseBy'> {
  parts: CommandParts
  world: World
  program: string | undefined
  /** The journal file, if there is one. */
  path: string | undefined
  /** Takes the membership before the host is made, which has ports for its actors. */
  onJoined(fleet: FleetParts): void
  /** Takes the service that reaches the phones of all hosts, for flows that run here. */
  useFleetService(service: Service): void
  /** Takes the service of the listener that sessions come through. */
  useSessionService(service: Service): void
  /** From here on the process holds what a command would not; `hasThread` says that a thread waits for the disk. */
  runOn(hasThread: boolean): void
}

export interface ServerRoot extends Servers {
  /** Ends the upkeep. */
  stop(): void
}

/** Executions and runs of dead processes are settled within this time, even when nobody asks for them. */
const RECOVER_EVERY_MS = 5_000
/** Bounds one task of the thread that keeps the journal. */
const KEEP_MS = 10 * 60_000
/** A server at work fills the WAL every few seconds. */
const THREAD_REST_MS = 30_000

/** The facts by which two servers differ. */
type ServerFacts = Pick<ListenerParts, 'version' | 'buildIdentity' | 'note'> & Partial<ListenerParts>

export const createServerRoot = (options: ServerRootOptions): ServerRoot => {
  const { parts, world, program, path } = options
  const { clock, ids, env, home, note, journal, links, host } = parts
  const recover = createRecovery(parts)
  let stop = () => {}
  /** Aborted by the first request, and by the end of the server. */
  const busy = new AbortController()

  const startUpkeep = (thread: string | undefined): (() => void) => {
    const sweep = () =>
      clock.at(
        clock.now() + RECOVER_EVERY_MS,
        () => {
          // One after the other, however long the journal keeps one waiting.
          const next = () => {
            if (!isOver) timer = sweep()
          }
          recover().then(next, next)
        },
        { idle: true },
      )
    let isOver = false
    let timer = sweep()
    const pool =
      path === undefined || thread === undefined
        ? undefined
        : createPool<UpkeepTask, void>({ file: thread, name: 'doUpkeep', threads: 1, restMs: THREAD_REST_MS })
    const stopKeeping =
      pool && path !== undefined
        ? startJournalUpkeep({
            ...{ journal: journal(), path, clock },
            run: task => pool.run(task, AbortSignal.timeout(KEEP_MS)),
          })
        : () => {}
    return () => {
      isOver = true
      timer.cancel()
      stopKeeping()
      void pool?.close()
    }
  }

  /** The first caller waits for nothing to be opened, and a journal that cannot be opened is told at the start. */
  const begin = async (): Promise<void> => {
    const thread = threadFile(program, 'upkeep')
    options.runOn(thread !== undefined)
    for (const open of [journal, parts.executions, parts.skills, parts.emulators, parts.recordings]) open()
    await recover()
    if (!world.network) void removeLeftFolders()
    stop = startUpkeep(thread)
  }

  const createFleet = async (wanted: FleetServeOptions, version: string): Promise<FleetParts> => {
    const { fleetOutcomeOf } = await import('../surfaces/http/events/outcome-text.ts')
    const { createFleetParts } = await import('./fleet.ts')
    const shared = { clock, note, ids, leaseBy: options.leaseBy, links, host, journal, network: world.network }
    const monitors = (env.SVC_FLEET_MONITOR ?? '').split(',').flatMap(url => (url.trim() ? [url.trim()] : []))
    const fleet = createFleetParts({
      ...shared,
      learner: () => parts.executions().learner,
      ...wanted,
      version,
      outcomeOf: fleetOutcomeOf,
      monitors,
    })
    options.onJoined(fleet)
    return fleet
  }

  const listenersFor = async (facts: ServerFacts) => {
    const { createListener, serviceOf } = await import('./listener.ts')
    const { docsFolder } = await import('../service/traces/assets.ts')
    await begin()
    const identity = homeIdentity(home)
    const shared = {
      ...parts,
      webDriver: undefined,
      docsFolder: docsFolder(program),
      operatorPackage: env.SVC_OPERATOR_PACKAGE?.trim() || undefined,
      homeIdentity: identity,
      journalName: path === undefined ? undefined : identity,
      ...facts,
    }
    if (facts.fleet) options.useFleetService(serviceOf({ ...shared, isPrivate: false }))
    const startRehearsal = async (app: App, signal: AbortSignal): Promise<void> => {
      const { rehearse } = await import('./warm-up.ts')
      await rehearse({ clock, ids, app, parts: shared, signal }).catch(error =>
        note(`the first requests may be slower: ${messageOf(error)}`),
      )
    }
    const listenerOn = (listener: string, isPrivate: boolean, isForWebDriverAlone = false) => {
      const { webDriver } = isPrivate ? { webDriver: undefined } : shared
      return createListener({ ...shared, webDriver, listener, isPrivate, isForWebDriverAlone })
    }
    return { listenerOn, startRehearsal }
  }

  return {
    async serve({ version, entryPath, inspectWs, fileRoots, fleet: wanted, webDriver, ...where }) {
      const { startServer } = world.network ?? (await import('../surfaces/http/server.ts'))
      const fleet = wanted && (await createFleet(wanted, version))
      const facts = {
        version,
        buildIdentity: buildIdentityOf(entryPath),
        note,
        inspectWs,
        fileRoots,
        fleet: fleet?.fleet,
        fleetLog: fleet?.log,
        ...(webDriver ? { webDriver: parts.webDriver } : {}),
      }
      const { listenerOn, startRehearsal } = await listenersFor(facts)
      let bound: App | undefined
      const app = (port: number) => {
        const listener = listenerOn(`serve:${where.host}:${port}`, false, webDriver === 'alone')
        // The executions of sessions are told on the /events of the listener that they come through.
        if (webDriver) options.useSessionService(listener.service)
        bound = listener.app
        return bound
      }
      const inspected = inspectWs ? journal() : undefined
      const onRequest = () => {
        if (!busy.signal.aborted) busy.abort()
        return true
      }
      const token = env.SVC_SERVE_TOKEN
      // The first session waits for no code.
      if (webDriver) await parts.webDriver()
      const refusalForm = webDriver && (await import('../surfaces/http/refusal-form.ts')).webDriverForm(webDriver)
      const started = await startServer({ app, clock, note, ...where, inspected, token, onRequest, refusalForm })
      // In a world of its own time means something else, and without a program there is nothing that starts cold.
      if (bound && program !== undefined && !world.network) void startRehearsal(bound, busy.signal)
      if (!started.ok || !fleet || !wanted) return started
      const { server } = started
      const inbound = listenerOn(`fleet:${fleet.member.host}`, true)
      world.network?.onInbound(inbound.app)
      fleet.answerBy(inbound.ask)
      const close: RunningServer['close'] = async grace => {
        fleet.answerBy(undefined)
        await Promise.all([server.close(grace), fleet.settle(grace)])
      }
      const error = await fleet.member.join(wanted.allowsUnsafe)
      if (!error) return { ok: true, server: { ...server, close } }
      await close({ graceMs: 0 })
      return { ok: false, error }
    },
    async serveSocket({ path: socket, onRequest, entryPath, note: say, listener, ...facts }) {
      const { startSocketServer } = await import('../surfaces/http/server.ts')
      const { listenerOn } = await listenersFor({ ...facts, buildIdentity: buildIdentityOf(entryPath), note: say })
      const { app } = listenerOn(listener, true)
      return startSocketServer({ app, clock, note: say, path: socket, onRequest })
    },
    async serveMcp({ stdin, stdout, signal, ...facts }) {
      const { serveMcpOnStdio } = await import('../surfaces/mcp/stdio/serve.ts')
      await begin()
      await serveMcpOnStdio({ ...parts, service: await parts.service(), ...facts }, { stdin, stdout, signal })
    },
    stop() {
      busy.abort()
      stop()
    },
  }
}

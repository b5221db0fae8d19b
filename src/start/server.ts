/** The root of a process that runs on: HTTP on TCP or on a Unix socket, MCP on its streams, and the upkeep of both. */

import type { FleetServeOptions } from '../fleet/deps.ts'
import { homeIdentity } from '../runtime/home-identity.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { startJournalUpkeep, type UpkeepTask } from '../runtime/journal/upkeep.ts'
import { messageOf } from '../runtime/message-of.ts'
import { removeLeftFolders } from '../runtime/temporary-folders.ts'
import { createPool } from '../runtime/threads/pool.ts'
import { threadFile } from '../runtime/threads/thread-file.ts'
import type { Emulators } from '../service/emulators/emulators.ts'
import type { Executions } from '../service/executions/service.ts'
import type { Recordings } from '../service/recordings/recordings.ts'
import type { Service } from '../service/service.ts'
import type { Undo } from '../service/undo-left.ts'
import { buildIdentityOf } from '../surfaces/daemon/identity.ts'
import type { HttpDeps, Opened } from '../surfaces/http/deps.ts'
import type { App } from '../surfaces/http/module.ts'
import type { RunningServer } from '../surfaces/http/server.ts'
import type { Servers } from '../surfaces/services.ts'
import type { WebDriver } from '../surfaces/webdriver/server.ts'
import type { FleetParts, FleetPartsOptions } from './fleet.ts'
import type { FoundationOptions } from './foundation.ts'
import { createRecovery } from './recovery.ts'

/** The dependencies that every server gets from the command's root. */
type ServedParts = Pick<
  HttpDeps,
  | Opened
  | 'clock'
  | 'reservations'
  | 'listDevices'
  | 'openDevice'
  | 'forwards'
  | 'undo'
  | 'testRuns'
  | 'secrets'
  | 'screenshots'
  | 'parcelsFolder'
  | 'troubles'
>

export interface ServerRootOptions
  extends FoundationOptions,
    Pick<FleetPartsOptions, 'clock' | 'ids' | 'leaseBy' | 'links' | 'host' | 'journal'> {
  emulators(): Emulators
  recordings(): Recordings
  undo(): Undo
  executions(): Executions
  service(): Promise<Service>
  webDriver(): Promise<WebDriver>
  program: string | undefined
  /** The journal file, if there is one. */
  path: string | undefined
  /** Takes the membership before the parts are made, whose actors it has ports for. */
  onJoined(fleet: FleetParts): void
  /** Takes the service that reaches the phones of all hosts, for flows that run here. */
  useFleetService(service: Service): void
  /** Takes the service of the listener that sessions come through. */
  useSessionService(service: Service): void
  /** Makes the parts; `hasThread` says that a thread waits for the disk in place of this one. */
  makeParts(hasThread: boolean): ServedParts
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
type AppFacts = Pick<HttpDeps, 'version' | 'buildIdentity' | 'note'> & Partial<HttpDeps>

export const createServerRoot = (options: ServerRootOptions): ServerRoot => {
  const { clock, env, note, program, path, makeParts, home } = options
  const recover = createRecovery(options)
  let stop = () => {}
  /** Aborted by the first request, and by the end of the server. */
  const busy = new AbortController()

  const startUpkeep = (thread: string | undefined, journal: Journal): (() => void) => {
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
        ? startJournalUpkeep({ journal, path, clock, run: task => pool.run(task, AbortSignal.timeout(KEEP_MS)) })
        : () => {}
    return () => {
      isOver = true
      timer.cancel()
      stopKeeping()
      void pool?.close()
    }
  }

  const partsOf = async (): Promise<ServedParts> => {
    const thread = threadFile(program, 'upkeep')
    const parts = makeParts(thread !== undefined)
    await recover()
    if (!options.world?.network) void removeLeftFolders()
    stop = startUpkeep(thread, parts.journal)
    return parts
  }

  const createFleet = async (wanted: FleetServeOptions, version: string): Promise<FleetParts> => {
    const { fleetOutcomeOf } = await import('../surfaces/http/events/outcome-text.ts')
    const { createFleetParts } = await import('./fleet.ts')
    const { ids, leaseBy, links, host, journal } = options
    const shared = { clock, note, ids, leaseBy, links, host, journal, network: options.world?.network }
    const monitors = (env.SVC_FLEET_MONITOR ?? '').split(',').flatMap(url => (url.trim() ? [url.trim()] : []))
    const fleet = createFleetParts({ ...shared, ...wanted, version, outcomeOf: fleetOutcomeOf, monitors })
    options.onJoined(fleet)
    return fleet
  }

  const appFor = async (facts: AppFacts) => {
    const { createApp, createWebDriverApp } = await import('../surfaces/http/app.ts')
    const { pageFolders } = await import('../service/traces/assets.ts')
    const operatorPackage = env.SVC_OPERATOR_PACKAGE?.trim() || undefined
    const made = await partsOf()
    const identity = homeIdentity(home)
    const journalName = path === undefined ? undefined : identity
    const parts = { ...made, ...pageFolders(program), operatorPackage, homeIdentity: identity, journalName }
    const app = (listener: string, isPrivate: boolean, create = createApp, more: Partial<HttpDeps> = {}) =>
      create({ ...parts, ...facts, ...(isPrivate ? { webDriver: undefined } : {}), ...more, listener, isPrivate })
    const startRehearsal = async (rehearsed: App, signal: AbortSignal): Promise<void> => {
      const { rehearse } = await import('./warm-up.ts')
      const deps = { ...parts, ...facts, listener: '', isPrivate: false }
      await rehearse({ clock, ids: options.ids, app: rehearsed, deps, signal }).catch(error =>
        note(`the first requests may be slower: ${messageOf(error)}`),
      )
    }
    if (facts.fleet) {
      const { serviceOf } = await import('../surfaces/http/service-routes.ts')
      options.useFleetService(serviceOf({ ...parts, ...facts, listener: '', isPrivate: false }))
    }
    return { app, createWebDriverApp, journal: made.journal, startRehearsal }
  }

  return {
    async serve({ version, entryPath, inspectWs, fileRoots, fleet: wanted, webDriver, ...where }) {
      const { startServer, startSocketServer } = options.world?.network ?? (await import('../surfaces/http/server.ts'))
      const fleet = wanted && (await createFleet(wanted, version))
      const facts = {
        version,
        buildIdentity: buildIdentityOf(entryPath),
        note,
        inspectWs,
        fileRoots,
        fleet: fleet?.fleet,
        fleetLog: fleet?.log,
        ...(webDriver ? { webDriver: options.webDriver } : {}),
      }
      const { app: on, createWebDriverApp, journal, startRehearsal } = await appFor(facts)
      let bound: App | undefined
      const app = (port: number) => {
        const create = webDriver === 'alone' ? createWebDriverApp : undefined
        const { useSessionService } = options
        bound = on(`serve:${where.host}:${port}`, false, create, webDriver ? { useSessionService } : {})
        return bound
      }
      const inspected = inspectWs ? journal : undefined
      const onRequest = () => {
        if (!busy.signal.aborted) busy.abort()
        return true
      }
      const token = env.SVC_SERVE_TOKEN
      // The first session waits for no code.
      if (webDriver) await options.webDriver()
      const refusalForm = webDriver && (await import('../surfaces/http/refusal-form.ts')).webDriverForm(webDriver)
      const started = await startServer({ app, clock, note, ...where, inspected, token, onRequest, refusalForm })
      // In a world of its own time means something else, and without a program there is nothing that starts cold.
      if (bound && program !== undefined && !options.world?.network) void startRehearsal(bound, busy.signal)
      if (!started.ok || !fleet || !wanted) return started
      const { server } = started
      const inbound = await startSocketServer({
        app: on(`fleet:${fleet.member.host}`, true),
        clock,
        note,
        path: fleet.socketPath,
      })
      const close: RunningServer['close'] = async grace => {
        await Promise.all([server.close(grace), inbound.ok ? inbound.server.close(grace) : undefined])
      }
      const error = inbound.ok ? await fleet.member.join(wanted.allowsUnsafe) : inbound.error
      if (!error) return { ok: true, server: { ...server, close } }
      await close({ graceMs: 0 })
      return { ok: false, error }
    },
    async serveSocket({ path: socket, onRequest, entryPath, note: say, listener, ...facts }) {
      const { startSocketServer } = await import('../surfaces/http/server.ts')
      const { app } = await appFor({ ...facts, buildIdentity: buildIdentityOf(entryPath), note: say })
      return startSocketServer({ app: app(listener, true), clock, note: say, path: socket, onRequest })
    },
    async serveMcp({ stdin, stdout, signal, ...facts }) {
      const { serveMcpOnStdio } = await import('../surfaces/mcp/stdio/serve.ts')
      const parts = await partsOf()
      await serveMcpOnStdio({ service: await options.service(), ...parts, ...facts, note }, { stdin, stdout, signal })
    },
    stop() {
      busy.abort()
      stop()
    },
  }
}

/** Constructs what a process that runs on serves: HTTP on TCP or on a Unix socket, or MCP on its streams. */
import { buildIdentityOf } from './daemon/build-identity.ts'
import type { FleetServeOptions } from './fleet/deps.ts'
import type { FleetServices, FleetServicesOptions } from './fleet-services.ts'
import type { HttpDeps } from './http/deps.ts'
import type { RunningServer, ServeOptions, ServeSocketOptions, SocketServer, Started } from './http/server.ts'
import type { McpDeps } from './mcp/deps.ts'
import type { StdioOptions } from './mcp/stdio/serve.ts'
import type { Clock } from './runtime/clock.ts'
import { homeIdentity } from './runtime/home-identity.ts'

export type McpOptions = StdioOptions & Pick<McpDeps, 'version' | 'operatorPackage' | 'deviceId' | 'skillRunId'>

export interface Serving {
  /** Listens on TCP; close the server before the services. */
  serve(options: ServeOptions & { fleet?: FleetServeOptions | undefined }): Promise<Started<RunningServer>>
  /** The same on a Unix socket, for a daemon. */
  serveSocket(options: ServeSocketOptions): Promise<Started<SocketServer>>
  /** Speaks MCP on the given streams until the client has gone or the signal comes. */
  serveMcp(options: McpOptions): Promise<void>
  stopKeeping(): void
}

/** The dependencies that every server gets from here. */
type Parts = Pick<
  HttpDeps,
  'clock' | 'journal' | 'executions' | 'skills' | 'emulators' | 'listDevices' | 'screenshots' | 'troubles'
>

export interface ServingOptions {
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  note: (text: string) => void
  program: string | undefined
  home: string
  /** The journal file, if there is one. */
  path: string | undefined
  recover(): Promise<void>
  /** Constructs the membership; before the parts, whose actors it has ports for. */
  joinFleet(
    options: FleetServeOptions,
    facts: Pick<FleetServicesOptions, 'version' | 'outcomeOf'>,
  ): Promise<FleetServices>
  /** Makes the parts; `isKept` says whether a thread waits for the disk in the place of this one. */
  begin(isKept: boolean): Parts
}

/** The facts by which two servers differ. */
type AppFacts = Pick<HttpDeps, 'version' | 'buildIdentity' | 'note'> & Partial<HttpDeps>

export const createServing = (options: ServingOptions): Serving => {
  const { clock, env, note, program, path, recover, begin, joinFleet, home } = options
  let stopKeeping = () => {}

  const partsOf = async (): Promise<Parts> => {
    const { hasUpkeepThread, startUpkeep } = await import('./server-upkeep.ts')
    const parts = begin(hasUpkeepThread(program))
    await recover()
    stopKeeping = startUpkeep({ clock, program, path, recover })
    return parts
  }

  const join = async (wanted: FleetServeOptions, version: string): Promise<FleetServices> => {
    const { fleetOutcomeOf } = await import('./http/events/outcome-text.ts')
    return joinFleet(wanted, { version, outcomeOf: fleetOutcomeOf })
  }

  const appFor = async (facts: AppFacts) => {
    const { createApp } = await import('./http/app.ts')
    const { pageFolders } = await import('./viewer/assets.ts')
    const operatorPackage = env.SVC_OPERATOR_PACKAGE?.trim() || undefined
    const made = await partsOf()
    const parts = { ...made, ...pageFolders(program), operatorPackage, homeIdentity: homeIdentity(home) }
    const app = (listener: string, isPrivate: boolean) => createApp({ ...parts, ...facts, listener, isPrivate })
    return { app, journal: made.journal }
  }

  return {
    async serve({ version, entryPath, inspectWs, fleet: wanted, ...where }) {
      const { startServer, startSocketServer } = await import('./http/server.ts')
      const fleet = wanted && (await join(wanted, version))
      const facts = {
        version,
        buildIdentity: buildIdentityOf(entryPath),
        note,
        inspectWs,
        fleet: fleet?.front,
        fleetLog: fleet?.log,
      }
      const { app: on, journal } = await appFor(facts)
      const app = (bound: number) => on(`serve:${where.host}:${bound}`, false)
      const inspected = inspectWs ? journal : undefined
      const started = await startServer({ app, clock, note, ...where, inspected, token: env.SVC_SERVE_TOKEN })
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
      const { startSocketServer } = await import('./http/server.ts')
      const { app } = await appFor({ ...facts, buildIdentity: buildIdentityOf(entryPath), note: say })
      return startSocketServer({ app: app(listener, true), clock, note: say, path: socket, onRequest })
    },
    async serveMcp({ stdin, stdout, signal, ...facts }) {
      const { serveMcpOnStdio } = await import('./mcp/stdio/serve.ts')
      await serveMcpOnStdio({ ...(await partsOf()), ...facts, note }, { stdin, stdout, signal })
    },
    stopKeeping: () => stopKeeping(),
  }
}

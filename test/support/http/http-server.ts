/** The HTTP app on a real port: before fake executions and a journal in memory, or before simulated devices. */

import { failure } from '../../../src/contracts/failures/failures.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { createListener, type ListenerParts, serviceOf } from '../../../src/start/listener.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../../src/surfaces/http/server.ts'
import type { McpContext } from '../../../src/surfaces/mcp/options.ts'
import { type FakeExecutions, fakeExecutions, recordedExecutions } from '../executions/fake-executions.ts'
import { type Lab, type LabOptions, startLab } from '../executions/lab.ts'
import { fromRoot } from '../root.ts'

export const BUILD = { entryPath: '/opt/svc/dist/svc.cjs', mtimeMs: 1_700_000_000_000.5, size: 1_234 }

/** As the build leaves it. */
const VIEWER_FOLDER = fromRoot('dist/inspector')
const DOCS_FOLDER = fromRoot('dist/docs')

export interface ServedApp {
  server: RunningServer
  url: string
  port: number
  notes: string[]
}

export const listen = async (deps: ListenerParts, options: Partial<ServerOptions> = {}): Promise<ServedApp> => {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const { app } = createListener({ ...deps, note })
  const started = await startServer({ app, host: '127.0.0.1', port: 0, clock: deps.clock, note, ...options })
  if (!started.ok) throw new Error(started.error.message)
  const { server } = started
  return { server, url: server.url, port: server.address.port, notes }
}

const noSkills: ReturnType<ListenerParts['skills']> = {
  load: () => ({ ok: true, registry: { path: '/nowhere/skills/skills-registry.json', root: '/nowhere', skills: [] } }),
  run: () => Promise.reject(new Error('no skill was to be run')),
}

const noEmulators = new Proxy({} as ReturnType<ListenerParts['emulators']>, {
  get: (_, name) => () => Promise.reject(new Error(`no emulator was to be asked: ${String(name)}`)),
})

const noForwards: ListenerParts['forwards'] = () => {
  throw new Error('no port was to be forwarded')
}
const noReservations: ListenerParts['reservations'] = () => {
  throw new Error('no phone was to be reserved')
}
const noRecordings = new Proxy(
  { parts: () => [], find: () => 'recording:a', status: () => undefined } as unknown as ReturnType<
    ListenerParts['recordings']
  >,
  {
    get: (known, name) =>
      Reflect.get(known, name) ?? (() => Promise.reject(new Error(`no recording was to be asked: ${String(name)}`))),
  },
)

export const fakeDeps = (executions: FakeExecutions, more: Partial<ListenerParts> = {}): ListenerParts => {
  const clock = systemClock()
  const journal = more.journal?.() ?? memoryJournal({ alive: () => true, clock })
  const recorded = recordedExecutions(executions, journal)
  return {
    clock,
    journal: () => journal,
    executions: () => recorded,
    receipts: async () => recorded,
    skills: () => noSkills,
    emulators: () => noEmulators,
    recordings: () => noRecordings,
    reservations: noReservations,
    listDevices: async () => [{ serial: 'd1', state: 'device' }],
    openDevice: async deviceId => ({ ok: false, error: failure('DEVICE_NOT_FOUND', `No device ${deviceId}.`) }),
    forwards: noForwards,
    testRuns: () => Promise.reject(new Error('no flow was to be run')),
    version: '1.2.3',
    buildIdentity: BUILD,
    operatorPackage: 'com.svc.operator',
    screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere/screenshots' },
    parcelsFolder: '/nowhere/parcels',
    listener: 'serve:test',
    isPrivate: false,
    viewerFolder: VIEWER_FOLDER,
    docsFolder: DOCS_FOLDER,
    note: () => {},
    ...more,
  }
}

/** The MCP server before fake executions. */
export const mcpDeps = (more: Partial<ListenerParts> = {}): McpContext => {
  const deps = fakeDeps(fakeExecutions(), more)
  return { ...deps, service: serviceOf(deps) }
}

export interface FakeServer extends ServedApp {
  executions: FakeExecutions
  deps: ListenerParts
}

export const startFake = async (
  more: Partial<ListenerParts> = {},
  options: Partial<ServerOptions> = {},
): Promise<FakeServer> => {
  const executions = fakeExecutions()
  const deps = fakeDeps(executions, more)
  return { ...(await listen(deps, options)), executions, deps }
}

export interface HttpLab extends ServedApp {
  lab: Lab
  deps: ListenerParts
  serials: string[]
  /** As a server that is started again on the same address. */
  restart(): Promise<ServedApp>
  close(): Promise<void>
}

export const labDeps = ({ services, home }: Lab): ListenerParts => ({
  ...services,
  version: '1.2.3',
  buildIdentity: BUILD,
  operatorPackage: 'com.svc.operator',
  screenshots: { relativeTo: home, newFilesIn: services.screenshots.newFilesIn },
  listener: 'serve:test',
  isPrivate: false,
  viewerFolder: VIEWER_FOLDER,
  docsFolder: DOCS_FOLDER,
  webDriver: undefined,
  note: () => {},
})

export const startHttpLab = async (options: LabOptions = {}): Promise<HttpLab> => {
  const lab = await startLab(options)
  const deps = labDeps(lab)
  const served: ServedApp[] = [await listen(deps)]
  const [first] = served
  if (!first) throw new Error('nothing listens')
  return {
    ...first,
    lab,
    deps,
    serials: lab.fleet.devices.map(({ serial }) => serial),
    async restart() {
      const next = await listen(deps)
      served.push(next)
      return next
    },
    async close() {
      for (const { server } of served) await server.close({ graceMs: 1_000 })
      await lab.close()
    },
  }
}

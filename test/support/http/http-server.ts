/** The HTTP app on a real port: before fake executions and a journal in memory, or before simulated devices. */

import { join } from 'node:path'
import { failure } from '../../../src/contracts/failures/failures.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { reachDevice } from '../../../src/service/executions/prepare.ts'
import { createApp } from '../../../src/surfaces/http/app.ts'
import type { HttpDeps } from '../../../src/surfaces/http/deps.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../../src/surfaces/http/server.ts'
import { serviceOf } from '../../../src/surfaces/http/service-routes.ts'
import type { McpDeps } from '../../../src/surfaces/mcp/deps.ts'
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

export const listen = async (deps: HttpDeps, options: Partial<ServerOptions> = {}): Promise<ServedApp> => {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const app = createApp({ ...deps, note })
  const started = await startServer({ app, host: '127.0.0.1', port: 0, clock: deps.clock, note, ...options })
  if (!started.ok) throw new Error(started.error.message)
  const { server } = started
  return { server, url: server.url, port: server.address.port, notes }
}

const noSkills: HttpDeps['skills'] = {
  load: () => ({ ok: true, registry: { path: '/nowhere/skills/skills-registry.json', root: '/nowhere', skills: [] } }),
  run: () => Promise.reject(new Error('no skill was to be run')),
}

const noEmulators = new Proxy({} as HttpDeps['emulators'], {
  get: (_, name) => () => Promise.reject(new Error(`no emulator was to be asked: ${String(name)}`)),
})

const noForwards: HttpDeps['forwards'] = () => {
  throw new Error('no port was to be forwarded')
}
const noReservations: HttpDeps['reservations'] = () => {
  throw new Error('no phone was to be reserved')
}
const noRecordings = new Proxy(
  { parts: () => [], find: () => 'recording:a', status: () => undefined } as unknown as HttpDeps['recordings'],
  {
    get: (known, name) =>
      Reflect.get(known, name) ?? (() => Promise.reject(new Error(`no recording was to be asked: ${String(name)}`))),
  },
)

export const fakeDeps = (executions: FakeExecutions, more: Partial<HttpDeps> = {}): HttpDeps => {
  const clock = systemClock()
  const journal = more.journal ?? memoryJournal({ alive: () => true, clock })
  return {
    clock,
    journal,
    executions: recordedExecutions(executions, journal),
    skills: noSkills,
    emulators: noEmulators,
    recordings: noRecordings,
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
export const mcpDeps = (more: Partial<HttpDeps> = {}): McpDeps => {
  const deps = fakeDeps(fakeExecutions(), more)
  return { ...deps, service: serviceOf(deps) }
}

export interface FakeServer extends ServedApp {
  executions: FakeExecutions
  deps: HttpDeps
}

export const startFake = async (
  more: Partial<HttpDeps> = {},
  options: Partial<ServerOptions> = {},
): Promise<FakeServer> => {
  const executions = fakeExecutions()
  const deps = fakeDeps(executions, more)
  return { ...(await listen(deps, options)), executions, deps }
}

export interface HttpLab extends ServedApp {
  lab: Lab
  deps: HttpDeps
  serials: string[]
  /** As a server that is started again on the same address. */
  restart(): Promise<ServedApp>
  close(): Promise<void>
}

export const labDeps = ({ services, home }: Lab): HttpDeps => ({
  clock: services.clock,
  journal: services.journal(),
  executions: services.executions(),
  skills: services.skills(),
  emulators: services.emulators(),
  recordings: services.recordings(),
  reservations: services.reservations,
  listDevices: services.listDevices,
  openDevice: (deviceId, call) => reachDevice(services.links(), deviceId, call),
  forwards: services.forwards,
  testRuns: () => services.testRuns(),
  version: '1.2.3',
  buildIdentity: BUILD,
  operatorPackage: 'com.svc.operator',
  screenshots: { relativeTo: home, newFilesIn: services.screenshots.newFilesIn },
  parcelsFolder: join(home, 'parcels'),
  listener: 'serve:test',
  isPrivate: false,
  viewerFolder: VIEWER_FOLDER,
  docsFolder: DOCS_FOLDER,
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

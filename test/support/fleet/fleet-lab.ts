/**
 * A fleet of `svc serve` before simulated phones, on real nats-servers: hosts are killed, frozen and cut off, phones are
 * moved. For tests in `describe.skipIf(!needs('nats-server'))`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namesOf } from '../../../src/fleet/servers/names.ts'
import type { FleetOptions, SimulatedPhones } from '../../../src/simulator/simulated-phones.ts'
import { createServices } from '../../../src/start/command.ts'
import { type Cut, type TcpLink, tcpLink } from '../adb/tcp-link.ts'
import { type Serving, type ServingHere, startServe, startServeHere } from '../cli/serve.ts'
import { freeze } from '../freeze.ts'
import { perTest } from '../per-test.ts'
import { until } from '../until.ts'
import { fleetMembers } from './fleet-members.ts'
import { type NatsLab, type NatsLink, startNatsLab } from './nats-lab.ts'

export interface FleetLabOptions extends Omit<FleetOptions, 'clock' | 'count'> {
  /** Ids; `lab1` and `lab2` unless given. */
  hosts?: readonly string[]
  /** For each phone, the hosts that can reach it: the first one does from the beginning. One each unless given. */
  phones?: readonly (readonly string[])[]
  /** Those that are reached by an address that is not this machine's usual one, as over a network; Linux only. */
  networkPhones?: readonly number[]
  nodes?: 1 | 3
  /** Each host has a key of its own, and may speak as itself only. */
  keys?: boolean
  flags?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Servers can be isolated, where this machine has network namespaces. */
  isSpaced?: boolean
  /** Hosts reach the servers through links that can be cut. */
  linked?: boolean
  /** Hosts are processes, which can be killed and frozen, unless this places them in the process of the test. */
  inProcess?: boolean
  /** Hosts that the test starts itself. */
  notStarted?: readonly string[]
}

export interface Answered<T = Record<string, unknown>> {
  status: number
  headers: Headers
  body: T
}

export interface FleetLabHost {
  id: string
  home: string
  url(): string
  /** Resolves when it listens. */
  start(flags?: readonly string[]): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /** From the NATS servers; with `linked` only. */
  cut(kind?: Cut): void
  heal(): void
  /** The serial under which this host lists a phone. */
  serial(phone: number): string
  /** Its cable. */
  plug(phone: number): void
  unplug(phone: number, kind?: Cut): void
  get<T = Record<string, unknown>>(path: string): Promise<Answered<T>>
  post<T = Record<string, unknown>>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered<T>>
  remove<T = Record<string, unknown>>(path: string): Promise<Answered<T>>
  isRunning(): boolean
  stderr(): string
}

export interface FleetLab {
  nats: NatsLab
  fleet: SimulatedPhones
  host(id: string): FleetLabHost
  /** Until a host says that it owns the phone. */
  owned(host: string, phone: number): Promise<void>
  close(): Promise<void>
}

const LONGEST_MS = 600_000
/** Joining waits for servers that have no leader at the moment. */
const START_MS = 45_000

const readAnswer = async <T>(response: Response): Promise<Answered<T>> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as T,
})

export const startFleetLab = async (options: FleetLabOptions = {}): Promise<FleetLab> => {
  const {
    hosts = ['lab1', 'lab2'],
    nodes = 1,
    networkPhones = [],
    flags = [],
    env,
    linked = false,
    isSpaced = false,
    keys = false,
    inProcess = false,
    notStarted = [],
    ...simulated
  } = options
  const addressOf = (phone: number) => (networkPhones.includes(phone) ? '127.0.0.2' : '127.0.0.1')
  const phones = options.phones ?? hosts.map(id => [id])
  const folder = mkdtempSync(join(tmpdir(), 'svc-fleet-lab-'))
  const members = keys ? fleetMembers(folder, namesOf('svc'), { hosts }) : undefined
  const nats = await startNatsLab({ nodes, isSpaced, ...(members ? { auth: members.auth } : {}) })
  const maker = createServices({ env: { HOME: folder, PATH: '' }, cwd: folder, note: () => {} })
  const { phones: _, ...rest } = simulated
  const fleet = await maker.simulate({ ...rest, count: phones.length })
  const cables = new Map<string, TcpLink>()
  /** Whoever closes the lab meanwhile waits for them, and so ends them. */
  const starting = new Set<Promise<unknown>>()
  for (const [phone, reachedBy] of phones.entries()) {
    for (const [order, id] of reachedBy.entries()) {
      const device = fleet.devices[phone]
      if (!device) throw new Error(`there is no phone ${phone}`)
      const cable = await tcpLink(device.port, addressOf(phone))
      if (order > 0) cable.cut('loud')
      cables.set(`${id} ${phone}`, cable)
    }
  }
  const cableOf = (id: string, phone: number): TcpLink => {
    const cable = cables.get(`${id} ${phone}`)
    if (!cable) throw new Error(`host ${id} cannot reach phone ${phone}`)
    return cable
  }

  const createHost = async (id: string): Promise<FleetLabHost> => {
    const home = join(folder, id)
    mkdirSync(join(home, '.svc'), { recursive: true, mode: 0o700 })
    const links: NatsLink[] = linked ? await Promise.all(nats.urls.map((_url, node) => nats.linkTo(node))) : []
    const urls = linked ? links.map(({ url }) => url) : nats.urls
    const serialOf = (phone: number) => `${addressOf(phone)}:${cableOf(id, phone).port}`
    const serials = phones.flatMap((reachedBy, phone) => (reachedBy.includes(id) ? [serialOf(phone)] : []))
    let serving: Serving | ServingHere | undefined
    const child = () => {
      if (!serving || !('running' in serving)) throw new Error(`host ${id} was not started as a process`)
      return serving.running
    }
    let lastUrl = ''
    const url = () => lastUrl
    return {
      id,
      home,
      url,
      async start(more = []) {
        const common = {
          env: {
            HOME: home,
            SVC_TCP_DEVICES: serials.join(','),
            SVC_FLEET: urls.join(','),
            SVC_FLEET_HOST: id,
            SVC_FLEET_MONITOR: nats.monitors.join(','),
            ...(members ? { SVC_FLEET_CREDS: members.credsOf(id) } : {}),
            ...env,
          },
          cwd: home,
          startMs: START_MS,
          args: [...(nodes === 1 ? ['--fleet-unsafe'] : []), ...flags, ...more],
        }
        const started = inProcess ? startServeHere(common) : startServe({ ...common, longestMs: LONGEST_MS })
        starting.add(started)
        try {
          serving = await started
        } finally {
          starting.delete(started)
        }
        if (serving.url !== '') {
          lastUrl = serving.url
          return
        }
        const { child: own, stdout, stderr } = child()
        throw new Error(`host ${id} (process ${own.pid}) did not start: ${stdout()}${stderr()}`)
      },
      stop: async () => void (await serving?.end()),
      async kill() {
        child().child.kill('SIGKILL')
        await child().ended
      },
      freeze: () => freeze(child().child),
      thaw: () => void child().child.kill('SIGCONT'),
      cut: kind => {
        for (const link of links) link.cut(kind)
      },
      heal: () => {
        for (const link of links) link.heal()
      },
      serial: serialOf,
      plug: phone => cableOf(id, phone).heal(),
      unplug: (phone, kind = 'loud') => cableOf(id, phone).cut(kind),
      get: async path => readAnswer(await fetch(`${url()}${path}`)),
      post: async (path, body, headers = {}) =>
        readAnswer(
          await fetch(`${url()}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          }),
        ),
      remove: async path => readAnswer(await fetch(`${url()}${path}`, { method: 'DELETE' })),
      isRunning: () => serving?.isRunning() ?? false,
      stderr: () => serving?.stderr() ?? '',
    }
  }

  const made = new Map<string, FleetLabHost>()
  for (const id of hosts) made.set(id, await createHost(id))
  const host = (id: string): FleetLabHost => {
    const found = made.get(id)
    if (!found) throw new Error(`there is no host ${id}`)
    return found
  }
  const lab: FleetLab = {
    nats,
    fleet,
    host,
    async owned(id, phone) {
      const actor = `ownership:${fleet.devices[phone]?.phone.properties.get('ro.serialno')}`
      await until(async () => {
        const { body } = await host(id).get<{ actor?: { state: string } }>(`/actors/${actor}`)
        return body.actor?.state === 'known.owned'
      }, `host ${id} to own phone ${phone}`)
    },
    async close() {
      await Promise.allSettled(starting)
      for (const each of made.values()) {
        if (!each.isRunning()) continue
        if (inProcess) {
          await each.stop()
          continue
        }
        each.thaw()
        await each.kill()
      }
      for (const cable of cables.values()) await cable.close()
      await fleet.close()
      await maker.close()
      await nats.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  try {
    await Promise.all(hosts.filter(id => !notStarted.includes(id)).map(id => host(id).start()))
    const started = hosts.filter(id => !notStarted.includes(id))
    type Status = { hosts: { state: string }[] }
    const knowAll = async (id: string) =>
      (await host(id).get<Status>('/fleet')).body.hosts.filter(({ state }) => state === 'serving').length ===
      started.length
    await Promise.all(started.map(id => until(() => knowAll(id), `host ${id} to know the others`)))
    await Promise.all(
      phones.flatMap(([first], phone) =>
        first === undefined || notStarted.includes(first) ? [] : [lab.owned(first, phone)],
      ),
    )
  } catch (error) {
    await lab.close()
    throw error
  }
  return lab
}

/** One for each test that asks for one. */
export const fleetLab = (): ((options?: FleetLabOptions) => Promise<FleetLab>) => perTest(startFleetLab)

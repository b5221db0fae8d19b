/**
 * What one host of a fleet does to know the others, and to answer from that, without phones of its own: arguments are the
 * servers and how many hosts there are. Says `ready` and the port of its app, then one JSON object for each line on stdin.
 */
import { createInterface } from 'node:readline'
import { FLEET_PROTOCOL, type FleetHostRecord } from '../../src/contracts/fleet.ts'
import { createDirectory } from '../../src/fleet/directory.ts'
import { createFleet } from '../../src/fleet/fleet.ts'
import { createRoster } from '../../src/fleet/membership/roster.ts'
import { connectFleet } from '../../src/fleet/servers/connection.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { openStores } from '../../src/fleet/servers/stores.ts'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import { fakeExecutions } from '../support/executions/fake-executions.ts'
import { fakeDeps, listen } from '../support/http/http-server.ts'
import { median } from '../support/lines.ts'

const [servers = '', count = '0'] = process.argv.slice(2)
const urls = servers.split(',')
const clock = systemClock()
const names = namesOf('bench')
const host = 'view'
const POLL_MS = 1

const connection = await connectFleet({ urls, names, self: host }, clock)
const stores = await openStores(connection, names)
const createOwnDirectory = () =>
  createDirectory({ connection, names, hosts: stores.hosts, owners: stores.owners, clock })
const directory = await createOwnDirectory()
const own: FleetHostRecord = {
  protocol: FLEET_PROTOCOL,
  host,
  instance: 'instance-of-view',
  version: '1.0.0',
  pid: process.pid,
  startedAt: clock.now(),
  draining: false,
  labels: {},
  devices: [],
}
const front = createFleet({
  member: {
    host,
    connection: () => connection,
    stores: () => stores,
    directory: () => directory,
    state: () => 'serving',
    isServing: () => true,
    heldSince: () => 0,
    knowsDevices: () => true,
    roster: createRoster({ host, record: () => own, busy: () => [], directory: () => directory }),
    record: () => own,
    drain: async () => {},
    ended: new AbortController().signal,
  },
  names,
  clock,
  ids: systemIds(),
  exchange: () => undefined,
  mirrored: async () => undefined,
  lag: () => ({ head: 0, mirrored: 0 }),
})

const JOINS = 5
const PLACED = 101

/** Milliseconds: the median of calls. */
const timed = async (work: () => unknown, calls: number): Promise<number> => {
  const times: number[] = []
  for (let call = 0; call < calls; call += 1) {
    const begun = clock.elapsed()
    await work()
    times.push(clock.elapsed() - begun)
  }
  return median(times)
}

const knowsAll = (known: { hosts(): readonly unknown[] }) => known.hosts().length >= Number(count)

const commands: Record<string, (argument: string) => Promise<object>> = {
  /** What it costs to be there, for so many milliseconds. */
  async rest(ms) {
    const begun = { at: clock.elapsed(), cpu: process.cpuUsage(), ...connection.nc.stats() }
    await pause(clock, Number(ms))
    const { user, system } = process.cpuUsage(begun.cpu)
    const now = connection.nc.stats()
    const seconds = (clock.elapsed() - begun.at) / 1_000
    return {
      cpuMs: (user + system) / 1_000 / seconds,
      messages: (now.inMsgs - begun.inMsgs) / seconds,
      bytes: (now.inBytes - begun.inBytes) / seconds,
      alive: front.others().length,
    }
  },
  /** Until one that begins now knows all. */
  async join() {
    const joinMs = await timed(async () => {
      const joining = await createOwnDirectory()
      while (!knowsAll(joining)) await pause(clock, POLL_MS)
      joining.close()
    }, JOINS)
    return { joinMs }
  },
  async place() {
    const wanted = { any: 'any:android>=12,tag=bench', one: `R58N${'1'.padStart(7, '0')}@h0` }
    const rows = front.devices()
    const floor = () => rows.filter(({ labels }) => labels.android === '14').length
    const placed = front.place(wanted.any)
    if (!placed.ok) throw new Error(placed.error.message)
    return {
      anyMs: await timed(() => front.place(wanted.any), PLACED),
      oneMs: await timed(() => front.place(wanted.one), PLACED),
      floorMs: await timed(floor, PLACED),
      devices: rows.length,
    }
  },
  /** When the record of a host was another one here. */
  async await(id) {
    const before = directory.host(id)?.revision
    const stop = clock.elapsed() + 10_000
    while (directory.host(id)?.revision === before && clock.elapsed() < stop) await new Promise(setImmediate)
    return { at: Number(process.hrtime.bigint()) }
  },
}

const { port } = await listen(fakeDeps(fakeExecutions(), { fleet: front }))
process.stdout.write(`ready\n${port}\n`)
createInterface({ input: process.stdin }).on('line', async line => {
  const [name = '', argument = ''] = line.split(' ')
  process.stdout.write(`${JSON.stringify(await commands[name]?.(argument))}\n`)
})

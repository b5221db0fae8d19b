/**
 * Many hosts of a fleet in one process that tell of themselves as real ones do, but have no phones: arguments are the
 * servers, how many hosts and how many devices each. Says `ready` and `-`. The id of one of them on stdin has it change;
 * said is, in nanoseconds of the clock that all processes share, when that began and when the last other host had read it.
 */
import { createInterface } from 'node:readline'
import { FLEET_PROTOCOL, type FleetHostRecord } from '../../src/contracts/fleet.ts'
import { PRESENCE_MS } from '../../src/contracts/limits/fleet-limits.ts'
import { createAnnouncer } from '../../src/fleet/membership/announcer.ts'
import { connectFleet, type FleetConnection } from '../../src/fleet/servers/connection.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { openStores } from '../../src/fleet/servers/stores.ts'
import { pause, systemClock } from '../../src/runtime/clock.ts'

const [servers = '', count = '0', devicesEach = '30'] = process.argv.slice(2)
const urls = servers.split(',')
const clock = systemClock()
const names = namesOf('bench')
const CONNECT_AT_ONCE = 10
const OPEN_TRIES = 5
const ANDROIDS = ['11', '12', '13', '14', '15']
const nowNs = () => Number(process.hrtime.bigint())

const recordOf = (host: string, index: number): FleetHostRecord => ({
  protocol: FLEET_PROTOCOL,
  host,
  instance: `instance-of-${host}`,
  version: '1.0.0',
  pid: 1_000 + index,
  startedAt: clock.now(),
  draining: false,
  labels: { tag: 'bench', rack: `r${index % 10}` },
  devices: Array.from({ length: Number(devicesEach) }, (_, device) => ({
    serial: `R58N${String(index * 1_000 + device).padStart(7, '0')}`,
    state: 'device',
    labels: {
      android: ANDROIDS[device % ANDROIDS.length] ?? '',
      api: String(30 + (device % ANDROIDS.length)),
      model: `SM-G99${device}B`,
      manufacturer: 'samsung',
      abi: 'arm64-v8a',
      tag: 'bench',
      rack: `r${index % 10}`,
    },
    phone: `device:${host}-${device}`,
    epoch: 1 + device,
  })),
})

/** As hosts do: servers that have only just been started take a while to agree on a leader. */
const openedStores = async (connection: FleetConnection) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openStores(connection, names)
    } catch (error) {
      if (tries === OPEN_TRIES) throw error
    }
  }
}

const createHost = async (index: number) => {
  const host = `h${index}`
  const connection = await connectFleet({ urls, names, self: host }, clock)
  const stores = await openedStores(connection)
  const announcer = createAnnouncer({
    host,
    names,
    clock,
    connection: () => connection,
    stores: () => stores,
  })
  let record = recordOf(host, index)
  const tell = () => announcer.tell(record, { head: 10_000, mirrored: 10_000, busy: [] })
  return {
    host,
    connection,
    tell,
    read: (other: string) => stores.hosts.get(other),
    change() {
      const [first, ...others] = record.devices
      if (!first) throw new Error('a host without devices cannot change')
      const state = first.state === 'device' ? 'offline' : 'device'
      record = { ...record, devices: [{ ...first, state }, ...others] }
      return tell()
    },
    async live() {
      for (;;) {
        await pause(clock, PRESENCE_MS)
        // A server that is slow to answer is no reason to end.
        await tell().catch(() => {})
      }
    },
  }
}

const hosts: Awaited<ReturnType<typeof createHost>>[] = []
// The first one makes what all of them open.
hosts.push(await createHost(0))
for (let begun = 1; begun < Number(count); begun += CONNECT_AT_ONCE) {
  const many = Math.min(CONNECT_AT_ONCE, Number(count) - begun)
  hosts.push(...(await Promise.all(Array.from({ length: many }, (_, index) => createHost(begun + index)))))
}
await Promise.all(hosts.map(({ tell }) => tell()))
for (const [index, host] of hosts.entries()) {
  // Real hosts were not started in the same millisecond either.
  void pause(clock, (index * PRESENCE_MS) / hosts.length).then(host.live)
}

const revisionOf = (text: string) => (JSON.parse(text) as { revision: number }).revision
const known = new Map<string, number>()
let allRead = (_at: number) => {}
const listener = hosts[0]?.connection.nc
if (listener) {
  // One subscription stands for those of all: each of them reads what a beat says is new.
  listener.subscribe(names.beat('*'), {
    callback: (_error, message) => {
      const host = message.subject.slice(message.subject.lastIndexOf('.') + 1)
      const revision = revisionOf(message.string())
      const before = known.get(host)
      known.set(host, revision)
      if (before === undefined || before >= revision) return
      const others = hosts.filter(other => other.host !== host)
      void Promise.all(others.map(other => other.read(host))).then(() => allRead(nowNs()))
    },
  })
}

process.stdout.write('ready\n-\n')
createInterface({ input: process.stdin }).on('line', async id => {
  const read = new Promise<number>(resolve => {
    allRead = resolve
  })
  const begun = nowNs()
  await hosts.find(({ host }) => host === id)?.change()
  process.stdout.write(`${JSON.stringify({ begun, read: await read })}\n`)
})

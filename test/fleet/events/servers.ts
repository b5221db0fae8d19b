/** Real NATS servers with JetStream on free ports of this machine, ended after the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connectFleet, type FleetConnection } from '../../../src/fleet/connection.ts'
import { type Names, namesOf } from '../../../src/fleet/names.ts'
import { openStores } from '../../../src/fleet/stores.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { wait } from '../../support/until.ts'

const clock = systemClock()

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

export interface Servers {
  names: Names
  urls: string[]
  /** Connected as `self`, to one server only where one is named. */
  connect(self: string, server?: number): Promise<FleetConnection>
  /** SIGKILL. */
  kill(server: number): Promise<void>
  start(server: number): Promise<void>
  /** The server that leads the stream at the moment. */
  leaderOf(stream: string, through: FleetConnection): Promise<number>
}

const untilDone = async <T>(what: () => Promise<T>, ms: number): Promise<T> => {
  const latest = clock.elapsed() + ms
  for (;;) {
    try {
      return await what()
    } catch (error) {
      if (clock.elapsed() > latest) throw error
      await wait(100)
    }
  }
}

/** A fleet of the given name on one server or on three, with its streams and buckets. */
export const startServers = async (nodes: 1 | 3, fleet = 'lab'): Promise<Servers> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nats-'))
  const ports = await Promise.all(Array.from({ length: 2 * nodes }, freePort))
  const children: (ChildProcess | undefined)[] = []
  const connections: FleetConnection[] = []
  const names = namesOf(fleet)
  const portOf = (server: number) => ports[server] ?? 0
  const routeOf = (server: number) => `nats://127.0.0.1:${ports[nodes + server]}`

  const configOf = (server: number) => {
    const others = Array.from({ length: nodes }, (_, each) => each).filter(each => each !== server)
    const cluster = `cluster { name: lab, listen: "127.0.0.1:${ports[nodes + server]}", routes: [${others.map(routeOf).join(', ')}] }`
    return [
      `server_name: n${server}`,
      `listen: "127.0.0.1:${portOf(server)}"`,
      `jetstream { store_dir: "${join(folder, `n${server}`)}" }`,
      'ping_interval: "2s"',
      nodes === 1 ? '' : cluster,
    ].join('\n')
  }

  const start = async (server: number) => {
    const file = join(folder, `n${server}.conf`)
    writeFileSync(file, configOf(server))
    children[server] = spawn('nats-server', ['-c', file], { stdio: 'ignore' })
  }

  const kill = async (server: number) => {
    const child = children[server]
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  const urls = Array.from({ length: nodes }, (_, server) => `nats://127.0.0.1:${portOf(server)}`)
  const connect: Servers['connect'] = async (self, server) => {
    const chosen = server === undefined ? urls : [urls[server] ?? '']
    const connection = await untilDone(() => connectFleet({ urls: chosen, names, self }, clock), 20_000)
    connections.push(connection)
    return connection
  }

  onTestFinished(async () => {
    await Promise.all(connections.map(connection => connection.nc.close().catch(() => {})))
    for (let server = 0; server < nodes; server++) await kill(server)
    rmSync(folder, { recursive: true, force: true })
  })

  for (let server = 0; server < nodes; server++) await start(server)
  const connection = await connect('maker')
  await untilDone(() => openStores(connection, names, nodes), 30_000)
  return {
    names,
    urls,
    connect,
    kill,
    start,
    async leaderOf(stream, { jsm }) {
      const leader = await untilDone(async () => {
        const { cluster } = await jsm.streams.info(stream)
        if (!cluster?.leader) throw new Error('no leader')
        return cluster.leader
      }, 30_000)
      return Number(leader.slice(1))
    },
  }
}

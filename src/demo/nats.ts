/** nats-servers on loopback for a demo: one, or a cluster of three, each with its disk in a folder that is removed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, pause } from '../runtime/clock.ts'
import { freePort, type Program, type Programs } from './programs.ts'

export interface NatsServers {
  urls: string[]
  /** The URLs of their monitoring ports. */
  monitors: string[]
}

export interface NatsOptions {
  program: string
  servers: number
  folder: string
  programs: Programs
  clock: Clock
  signal: AbortSignal
}

const READY_MS = 20_000
const LOOK_MS = 50
const ASK_MS = 1_000

interface Node {
  name: string
  port: number
  monitor: number
  cluster: number
}

const configOf = ({ name, port, monitor, cluster }: Node, nodes: readonly Node[], folder: string): string => {
  const others = nodes.filter(node => node.name !== name).map(node => `"nats://127.0.0.1:${node.cluster}"`)
  return [
    `server_name: ${name}`,
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitor}"`,
    `jetstream { store_dir: "${join(folder, name)}", sync_interval: always }`,
    ...(others.length === 0
      ? []
      : [`cluster { name: demo, listen: "127.0.0.1:${cluster}", routes: [${others.join(', ')}] }`]),
    '',
  ].join('\n')
}

/** With a leader, where there are several. */
const isReady = async ({ monitor }: Node, size: number): Promise<boolean> => {
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const signal = AbortSignal.timeout(ASK_MS)
    return (await (await fetch(`http://127.0.0.1:${monitor}${path}`, { signal })).json()) as Record<string, unknown>
  }
  try {
    if ((await ask('/healthz')).status !== 'ok') return false
    return size === 1 || Boolean(((await ask('/jsz')).meta_cluster as { leader?: string } | undefined)?.leader)
  } catch {
    return false
  }
}

export const startNats = async (options: NatsOptions): Promise<NatsServers> => {
  const { program, servers, folder, programs, clock, signal } = options
  const nodes: Node[] = []
  for (let index = 1; index <= servers; index += 1) {
    const ports = [await freePort(), await freePort(), await freePort()] as const
    nodes.push({ name: `nats-${index}`, port: ports[0], monitor: ports[1], cluster: ports[2] })
  }
  mkdirSync(folder, { recursive: true })
  const started: Program[] = nodes.map(node => {
    const file = join(folder, `${node.name}.conf`)
    writeFileSync(file, configOf(node, nodes, folder))
    return programs.start(program, ['-c', file], { env: {}, cwd: folder })
  })
  const until = clock.elapsed() + READY_MS
  while (!(await Promise.all(nodes.map(node => isReady(node, servers)))).every(Boolean)) {
    signal.throwIfAborted()
    const dead = started.find(({ child }) => child.exitCode !== null || child.signalCode !== null)
    if (dead || clock.elapsed() > until) {
      throw new Error(`nats-server does not get ready: ${(dead ?? started[0])?.complained().slice(-2_000)}`)
    }
    await pause(clock, LOOK_MS, signal)
  }
  return {
    urls: nodes.map(({ port }) => `nats://127.0.0.1:${port}`),
    monitors: nodes.map(({ monitor }) => `http://127.0.0.1:${monitor}`),
  }
}

/**
 * Real nats-servers on loopback with JetStream on a disk of their own: alone or as a cluster of three whose nodes are
 * killed, stopped and cut off.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../adb/free-ports.ts'
import { netSpaces } from '../adb/net-spaces.ts'
import { type Cut, type TcpLink, tcpLink } from '../adb/tcp-link.ts'
import { type NatsNode, natsNode, untilReady } from './nats-node.ts'

export interface NatsLabOptions {
  /** 1 unless given. */
  nodes?: 1 | 3
  /** Each write is on the disk before it is acknowledged; on unless it is false. */
  syncAlways?: boolean
  /** The `authorization` or `accounts` block of the servers. */
  auth?: string
  /** Files of the servers. */
  tls?: { cert: string; key: string }
  /** Each node in a network namespace of its own, where this machine has them, so that `isolate` cuts it off from all. */
  isSpaced?: boolean
  /** The routes of the cluster go through proxies, which `cut` needs. */
  proxied?: boolean
  /** More lines of the configuration, such as `max_payload: 65536`. */
  config?: string
  /** Off: the servers have no JetStream. */
  jetstream?: boolean
}

export interface NatsLink {
  url: string
  cut(kind?: Cut): void
  heal(): void
}

export interface NatsLab {
  /** A URL for each node. */
  urls: readonly string[]
  /** Where each node is monitored: `http://...`. */
  monitors: readonly string[]
  /** kill -9, and waits for the end. */
  kill(node: number): Promise<void>
  /** An orderly end: leadership is handed over first. */
  stop(node: number): Promise<void>
  /** Starts a node that is down, on its old port and disk, and waits until it is part of the cluster again. */
  restart(node: number): Promise<void>
  /** Starts it without waiting: for when there is no quorum yet. */
  start(node: number): void
  /** Removes all that a node which does not run has stored. */
  loseStore(node: number): void
  /** Until JetStream answers on all nodes that run. */
  ready(): Promise<void>
  /** The process stands still, its connections stay open. */
  freeze(node: number): void
  thaw(node: number): void
  /** Cuts a node off from the others, not from its clients; with `proxied` only. */
  cut(node: number, kind?: Cut): void
  heal(node: number): void
  /** Cuts a node off from everybody, by its network; false where it is in no namespace of its own. */
  isolate(node: number): boolean
  rejoin(node: number): void
  /** A URL of the node that goes through a proxy of its own. */
  linkTo(node: number): Promise<NatsLink>
  /** The node that leads a stream (a bucket `b` is the stream `KV_b`), or undefined. */
  leaderOf(stream: string): Promise<number | undefined>
  log(node: number): string
  close(): Promise<void>
}

const JETSTREAM_BYTES = 8 * 1_024 * 1_024 * 1_024
/** Nobody listens here, so nodes that tell each other about it do not get round the proxies. */
const NOWHERE = '127.0.0.1:1'

const jetstreamConfig = (store: string, syncAlways: boolean) =>
  `jetstream { store_dir: "${store}", max_file_store: ${JETSTREAM_BYTES}, max_memory_store: 67108864${
    syncAlways ? ', sync_interval: always' : ''
  } }`

const tlsConfig = ({ cert, key }: NonNullable<NatsLabOptions['tls']>) =>
  `tls { cert_file: "${cert}", key_file: "${key}" }`

export const startNatsLab = async (options: NatsLabOptions): Promise<NatsLab> => {
  const { nodes: size = 1, syncAlways = true, auth = '', tls, proxied = false, jetstream = true } = options
  const spaces = options.isSpaced ? netSpaces(size) : undefined
  const addressOf = (index: number) => spaces?.addressOf(index) ?? '127.0.0.1'
  const folder = mkdtempSync(join(tmpdir(), 'svc-nats-'))
  const indexes = [...Array(size).keys()]
  const clusterPorts = await Promise.all(indexes.map(freePort))
  const links = new Map<string, TcpLink>()
  const own: TcpLink[] = []
  const routeOf = async (from: number, to: number): Promise<string> => {
    const port = clusterPorts[to] as number
    if (!proxied) return `nats://${addressOf(to)}:${port}`
    const link = await tcpLink(port)
    links.set(`${from} ${to}`, link)
    return `nats://127.0.0.1:${link.port}`
  }
  const clusterConfig = async (index: number) => {
    const others = indexes.filter(each => each !== index)
    const routes = await Promise.all(others.map(other => routeOf(index, other)))
    return [
      `cluster { name: lab, listen: "${addressOf(index)}:${clusterPorts[index]}", no_advertise: true,`,
      ...(proxied ? [`  cluster_advertise: "${NOWHERE}",`] : []),
      `  routes: [${routes.map(route => `"${route}"`).join(', ')}] }`,
    ].join('\n')
  }
  const nodes: NatsNode[] = []
  for (const index of indexes) {
    const name = `n${index}`
    const config = [
      'ping_interval: "2s"\nping_max: 2',
      ...(jetstream ? [jetstreamConfig(join(folder, name, 'store'), syncAlways)] : []),
      ...(size > 1 ? [await clusterConfig(index)] : []),
      ...(tls ? [tlsConfig(tls)] : []),
      auth,
      options.config ?? '',
    ].join('\n')
    const where = spaces ? { at: spaces.addressOf(index), within: spaces.within(index) } : {}
    nodes.push(natsNode({ name, folder, config, port: await freePort(), monitorPort: await freePort(), ...where }))
  }
  const nodeAt = (index: number): NatsNode => {
    const node = nodes[index]
    if (!node) throw new Error(`there is no node ${index}`)
    return node
  }
  const routesOf = (index: number): TcpLink[] => {
    if (!proxied) throw new Error('only a lab with `proxied` can be cut')
    return [...links].filter(([ends]) => ends.split(' ').includes(String(index))).map(([, link]) => link)
  }
  const urlOf = (port: number, at = '127.0.0.1') => `${tls ? 'tls' : 'nats'}://${at}:${port}`
  const ready = () =>
    untilReady(
      nodes.filter(node => node.isRunning()),
      jetstream ? size : 1,
    )

  const lab: NatsLab = {
    urls: nodes.map(({ port }, index) => urlOf(port, addressOf(index))),
    monitors: nodes.map(({ monitor }) => monitor),
    kill: index => nodeAt(index).end('SIGKILL'),
    stop: index => nodeAt(index).end('SIGTERM'),
    start: index => nodeAt(index).start(),
    loseStore: index => rmSync(join(folder, `n${index}`, 'store'), { recursive: true, force: true }),
    async restart(index) {
      nodeAt(index).start()
      await ready()
    },
    ready,
    freeze: index => nodeAt(index).signal('SIGSTOP'),
    thaw: index => nodeAt(index).signal('SIGCONT'),
    cut(index, kind) {
      for (const link of routesOf(index)) link.cut(kind)
    },
    heal(index) {
      for (const link of routesOf(index)) link.heal()
    },
    isolate(index) {
      spaces?.cut(index)
      return spaces !== undefined
    },
    rejoin: index => spaces?.heal(index),
    async linkTo(index) {
      const link = await tcpLink(nodeAt(index).port, '127.0.0.1', addressOf(index))
      own.push(link)
      return { url: urlOf(link.port), cut: link.cut, heal: link.heal }
    },
    leaderOf: stream => leaderOf(nodes, stream),
    log: index => nodeAt(index).log(),
    async close() {
      await Promise.all(nodes.map(node => node.end('SIGKILL')))
      await Promise.all([...links.values(), ...own].map(link => link.close()))
      spaces?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  for (const node of nodes) node.start()
  try {
    await ready()
  } catch (error) {
    await lab.close()
    throw error
  }
  return lab
}

interface Jsz {
  account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[]
}

const leaderOf = async (nodes: readonly NatsNode[], stream: string): Promise<number | undefined> => {
  // Only the leader itself surely knows it, so it is the node that names itself.
  for (const [index, node] of nodes.entries()) {
    const told = (await node.ask('/jsz?accounts=1&streams=1')) as Jsz | undefined
    const streams = told?.account_details?.flatMap(account => account.stream_detail ?? []) ?? []
    const found = streams.find(({ name }) => name === stream)
    if (found && (!found.cluster || found.cluster.leader === node.name)) return index
  }
  return undefined
}

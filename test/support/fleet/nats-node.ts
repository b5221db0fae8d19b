/** One nats-server of a lab: its process, its folder, and what its monitoring port says. */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freeze } from '../freeze.ts'
import { wait } from '../until.ts'

const READY_MS = 30_000
const ASK_MS = 1_000
const TERM_MS = 5_000

export interface NatsNode {
  name: string
  port: number
  monitor: string
  start(): void
  /** Ends with the process; nothing happens if there is none. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  signal(signal: NodeJS.Signals): void
  isRunning(): boolean
  log(): string
  /** An answer of the monitoring port, or undefined. */
  ask(path: string): Promise<Record<string, unknown> | undefined>
}

/** A test process that ends in the middle of a test must not leave servers behind. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface NatsNodeOptions {
  name: string
  folder: string
  port: number
  monitorPort: number
  /** All of the configuration but its name, ports and folder. */
  config: string
  /** The address it listens on. */
  at?: string
  /** A program and its arguments, which becomes the server. */
  within?: readonly string[]
}

export const natsNode = (options: NatsNodeOptions): NatsNode => {
  const { name, folder, port, monitorPort, config, at = '127.0.0.1', within = [] } = options
  const root = join(folder, name)
  mkdirSync(root, { recursive: true })
  const configFile = join(root, 'nats.conf')
  const logFile = join(root, 'nats.log')
  writeFileSync(configFile, `server_name: ${name}\nlisten: "${at}:${port}"\nhttp: "${at}:${monitorPort}"\n${config}\n`)
  const monitor = `http://${at}:${monitorPort}`
  let child: ChildProcess | undefined
  const log = () => readFileSync(logFile, 'utf8')

  return {
    name,
    port,
    monitor,
    log,
    isRunning: () => child !== undefined,
    start() {
      if (child) throw new Error(`${name} is running`)
      const file = openSync(logFile, 'a')
      const [program = 'nats-server', ...words] = [...within, 'nats-server', '-c', configFile]
      const started = spawn(program, words, { cwd: root, stdio: ['ignore', file, file] })
      closeSync(file)
      child = started
      running.add(started)
      const gone = () => {
        running.delete(started)
        if (child === started) child = undefined
      }
      started.on('error', gone)
      started.on('exit', gone)
    },
    async end(signal) {
      const ending = child
      if (!ending) return
      const ended = new Promise<void>(resolve => ending.once('exit', () => resolve()))
      ending.kill(signal)
      // A stopped process takes a SIGTERM only once it goes on.
      ending.kill('SIGCONT')
      const timer = setTimeout(() => ending.kill('SIGKILL'), TERM_MS)
      await ended
      clearTimeout(timer)
    },
    signal: signal => {
      if (!child?.kill(signal)) throw new Error(`${name} is not running`)
      if (signal === 'SIGSTOP') freeze(child)
    },
    async ask(path) {
      try {
        const answer = await fetch(`${monitor}${path}`, { signal: AbortSignal.timeout(ASK_MS) })
        return (await answer.json()) as Record<string, unknown>
      } catch {
        return undefined
      }
    },
  }
}

interface MetaCluster {
  leader?: string
  cluster_size?: number
  replicas?: { name: string; current?: boolean; offline?: boolean }[]
}

/** A single server is ready by itself; one of a cluster when it and its leader know each other. */
const isReady = async (nodes: readonly NatsNode[], size: number): Promise<boolean> => {
  const seen = await Promise.all(
    nodes.map(async node => ({
      name: node.name,
      health: (await node.ask('/healthz'))?.status,
      meta: (await node.ask('/jsz'))?.meta_cluster as MetaCluster | undefined,
    })),
  )
  if (seen.some(({ health }) => health !== 'ok')) return false
  if (size === 1) return true
  const leaders = new Set(seen.map(({ meta }) => meta?.leader))
  const [leader] = leaders
  if (leaders.size !== 1 || !leader) return false
  const replicas = seen.find(({ name }) => name === leader)?.meta?.replicas ?? []
  return nodes.every(({ name }) => name === leader || isCurrent(replicas, name))
}

const isCurrent = (replicas: NonNullable<MetaCluster['replicas']>, name: string) =>
  replicas.some(replica => replica.name === name && replica.current && !replica.offline)

/** Until JetStream answers on all of these; says what they logged if it does not. */
export const untilReady = async (nodes: readonly NatsNode[], size: number): Promise<void> => {
  const latest = performance.now() + READY_MS
  while (!(await isReady(nodes, size))) {
    const dead = nodes.filter(node => !node.isRunning())
    if (dead.length > 0 || performance.now() > latest) {
      const said = (dead.length > 0 ? dead : nodes).map(node => `${node.name}:\n${node.log().slice(-2_000)}`)
      throw new Error(`nats-server did not get ready\n${said.join('\n')}`)
    }
    await wait(50)
  }
}

/** The programs that a demo starts, NATS servers among them: none is left when the demo has ended, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Clock, pause } from '../../runtime/clock.ts'

export interface Program {
  child: ChildProcess
  /** Everything on stdout; all of it once it has ended. */
  said(): string
  complained(): string
  /** Resolves to the exit code; undefined for one that a signal ended. */
  ended: Promise<number | undefined>
}

const END_MS = 8_000

export const say = (line = '') => void process.stdout.write(`${line}\n`)

/** Aborted by a signal, which ends the programs too. */
export const stopOnSignals = (programs: Pick<ReturnType<typeof createPrograms>, 'endAll'>): AbortController => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort(new Error('interrupted'))
      void programs.endAll()
    })
  }
  return stop
}

export const createPrograms = (clock: Clock) => {
  const running = new Set<Program>()
  process.on('exit', () => {
    for (const { child } of running) child.kill('SIGKILL')
  })

  /** With SIGTERM, and after a while with SIGKILL. */
  const end = async ({ child, ended }: Program) => {
    const over = new AbortController()
    child.kill('SIGTERM')
    await Promise.race([ended, pause(clock, END_MS, over.signal)])
    over.abort()
    child.kill('SIGKILL')
    await ended
  }

  return {
    // In a group of its own: Ctrl-C reaches the demo alone, which ends each in order.
    start(file: string, args: readonly string[], { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): Program {
      const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      const texts = { stdout: '', stderr: '' }
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].setEncoding('utf8').on('data', chunk => {
          texts[stream] += chunk
        })
      }
      const ended = new Promise<number | undefined>(resolve => {
        child.once('error', error => {
          texts.stderr += error.message
          resolve(undefined)
        })
        child.once('close', code => resolve(code ?? undefined))
      })
      const program = { child, said: () => texts.stdout, complained: () => texts.stderr, ended }
      running.add(program)
      void ended.then(() => running.delete(program))
      return program
    },
    end,
    async endAll() {
      await Promise.all([...running].map(end))
    },
  }
}

type Programs = ReturnType<typeof createPrograms>

/** Another program could take it meanwhile, which then says so. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

interface NatsOptions {
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

export const startNats = async (options: NatsOptions) => {
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
    /** The URLs of their monitoring ports. */
    monitors: nodes.map(({ monitor }) => `http://127.0.0.1:${monitor}`),
  }
}

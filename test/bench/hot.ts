/**
 * What a click over HTTP costs a server: its CPU and what it writes, against a bare server that does the same durable work.
 * Server, floor, phone and callers are processes of their own; blocks of both are taken in turn.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { median } from '../support/lines.ts'
import { plainEnv } from '../support/run-program.ts'
import { CLI, startDevice } from './executions.ts'
import { type Program, post, start } from './http-load.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()
const WARM_UP = 1_500
const BLOCKS = 8
const BLOCK = 250
const FIRST = 100
const LOADED_MS = 3_000
/** A server that nobody asks anything loads what the first request needs. */
const REST_MS = 1_500
/** Of a tick of /proc, in ms. */
const TICK_MS = 10

export interface Server {
  pid: number
  port: string
  child: ChildProcess
}

const actions = [{ id: 'tap', type: 'click', params: { coordinate: { x: 5, y: 200 } } }]
const named = { commandId: 'bench', taskId: 'bench', source: 'bench', expectedFormat: 'android-ui-automator' }
export const click = (deviceId?: string) =>
  JSON.stringify({ execution: { ...named, timeoutMs: 20_000, actions }, ...(deviceId ? { deviceId } : {}) })
/** Refused before any device is asked: the point is outside of every screen. */
const refusedClick = (deviceId: string) => click(deviceId).replace('"x":5', '"x":-5')

export const cpuMs = ({ pid }: { pid: number }): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
/** Bytes that the process has handed to the kernel: files and sockets. */
const writtenBytes = ({ pid }: { pid: number }): number =>
  Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)

export const startServe = async (
  home: string,
  serials: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Server> => {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...flags], {
    env: { ...plainEnv(), HOME: home, PATH: '', SVC_TCP_DEVICES: serials, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  while (!/:(\d+)/.test(said)) {
    const [chunk] = (await once(child.stderr, 'data')) as [Buffer]
    said += chunk.toString()
  }
  return { child, pid: child.pid ?? 0, port: /:(\d+)/.exec(said)?.[1] ?? '' }
}
const floorOf = ({ child, said }: Program): Server => ({ child, pid: child.pid ?? 0, port: said })

export const end = async ({ child }: { child: ChildProcess }): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'close')
}

/** A peer that says each line again. */
const startEcho = async () => {
  const echo = createServer(socket => {
    socket.setNoDelay(true).on('error', () => {})
    socket.on('data', data => socket.write(data))
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const address = echo.address()
  return { echo, port: String(typeof address === 'object' ? address?.port : '') }
}

interface Cost {
  cpu: number
  ms: number
  bytes: number
}
const costOf = async (server: Server, calls: number, work: () => Promise<unknown>): Promise<Cost> => {
  const [cpu, bytes, begun] = [cpuMs(server), writtenBytes(server), clock.elapsed()]
  for (let call = 0; call < calls; call++) await work()
  return {
    cpu: (cpuMs(server) - cpu) / calls,
    bytes: (writtenBytes(server) - bytes) / calls,
    ms: (clock.elapsed() - begun) / calls,
  }
}
const sum = (costs: readonly Cost[], of: keyof Cost) =>
  costs.reduce((total, cost) => total + cost[of], 0) / costs.length

/** Blocks of each in turn, after all are warm. */
const inBlocks = async (works: readonly { server: Server; work: () => Promise<unknown> }[]): Promise<Cost[][]> => {
  for (const { work } of works) for (let call = 0; call < WARM_UP; call++) await work()
  const costs = works.map((): Cost[] => [])
  for (let block = 0; block < BLOCKS; block++) {
    for (const [index, { server, work }] of works.entries()) costs[index]?.push(await costOf(server, BLOCK, work))
  }
  return costs
}

const row = (name: string, unit: string, value: number, floor: string, at: number): BenchRow => ({
  name,
  value,
  unit,
  floor: `${floor} (${at.toFixed(at < 10 ? 2 : 0)} ${unit})`,
  ratio: value / at,
})

/** The status; refusals are answers here. */
const status = (port: string, path: string, agent: Agent, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, received => {
      received.resume().on('end', () => resolve(received.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Executions per second of so many callers of one phone that ask again as soon as they are answered, while all of them do. */
const doneBy = async (callers: number, { port }: Server, agent: Agent, serial: string): Promise<number> => {
  let done = 0
  const until = clock.elapsed() + LOADED_MS
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (clock.elapsed() < until) {
        const isDone = (await status(port, '/snapshot', agent, JSON.stringify({ deviceId: serial }))) === 200
        if (isDone && clock.elapsed() < until) done += 1
      }
    }),
  )
  return (done * 1_000) / LOADED_MS
}

export const hotRows = async (): Promise<BenchRow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const home = (name: string) => mkdtempSync(join(folder, `${name}-`))
  const agent = new Agent({ keepAlive: true })
  const { echo, port: echoPort } = await startEcho()
  const { child: device, serial } = await startDevice('socket')
  const running: { child: ChildProcess }[] = [{ child: device }]
  const owned = <T extends { child: ChildProcess }>(one: T): T => {
    running.push(one)
    return one
  }
  try {
    const journalHome = home('serve')
    const serve = owned(await startServe(journalHome, serial))
    const first = async ({ port }: Server) => {
      const begun = clock.elapsed()
      const bytes = await post(port, '/execute', agent, click(serial))
      return { bytes, ms: clock.elapsed() - begun }
    }
    const { bytes, ms: firstMs } = await first(serve)
    const rested = owned(await startServe(home('rested'), serial))
    await pause(clock, REST_MS)
    const { ms: restedMs } = await first(rested)
    const bare = async () => owned(floorOf(await start('http-durable', home('floor'), echoPort, String(bytes))))
    const floor = await bare()
    const clickServe = () => post(serve.port, '/execute', agent, click(serial))
    const clickBare = (server: Server) => () => post(server.port, '/', agent, click(serial))

    const early = {
      serve: await costOf(serve, FIRST, clickServe),
      rested: await costOf(rested, FIRST, () => post(rested.port, '/execute', agent, click(serial))),
      floor: await costOf(floor, FIRST, clickBare(floor)),
    }
    const off = owned(await startServe(home('off'), serial, { SVC_JOURNAL: 'off' }))
    // One of its own: records of refusals are no part of what an execution leaves.
    const refusing = owned(await startServe(home('refusing'), serial))
    const [hot = [], floors = [], unnamed = [], without = [], refused = []] = await inBlocks([
      { server: serve, work: clickServe },
      { server: floor, work: clickBare(floor) },
      { server: serve, work: () => post(serve.port, '/execute', agent, click()) },
      { server: off, work: () => post(off.port, '/execute', agent, click(serial)) },
      { server: refusing, work: () => status(refusing.port, '/execute', agent, refusedClick(serial)) },
    ])
    const resultBytes = bytes
    const clicks = 1 + FIRST + 2 * (WARM_UP + BLOCKS * BLOCK)
    const walBytes =
      statSync(join(journalHome, '.svc', 'journal', 'journal.db-wal'), { throwIfNoEntry: false })?.size ?? 0
    // The journal of the clicks holds nothing else.
    await end(serve)
    const one = await doneBy(1, rested, agent, serial)
    const crowd = [
      await doneBy(5, rested, agent, serial),
      await doneBy(20, rested, agent, serial),
      await doneBy(50, rested, agent, serial),
    ]
    const kept = statSync(join(journalHome, '.svc', 'journal', 'journal.db')).size / clicks
    const cpu = (costs: readonly Cost[]) => sum(costs, 'cpu')
    const durable = 'the bare durable process'
    const hundred = 100 * median(floors.map(({ ms }) => ms))
    return [
      row('hot click, CPU', 'ms', cpu(hot), durable, cpu(floors)),
      row('hot click, time', 'ms', median(hot.map(({ ms }) => ms)), durable, median(floors.map(({ ms }) => ms))),
      row('first hundred clicks, CPU', 'ms', early.serve.cpu, `${durable}, its first hundred`, early.floor.cpu),
      row('first hundred, rested server, CPU', 'ms', early.rested.cpu, `${durable}, its first`, early.floor.cpu),
      row('first request of a server', 'ms', firstMs, '100 bare clicks', hundred),
      row('first request of a rested server', 'ms', restedMs, '100 bare clicks', hundred),
      row('hot click, no device named, CPU', 'ms', cpu(unnamed), 'named', cpu(hot)),
      row('hot click, CPU', 'ms', cpu(hot), 'without a journal', cpu(without)),
      row('refusal, CPU', 'ms', cpu(refused), durable, cpu(floors)),
      row('written per refusal', 'KB', sum(refused, 'bytes') / 1_000, durable, sum(floors, 'bytes') / 1_000),
      row('written per click', 'KB', sum(hot, 'bytes') / 1_000, durable, sum(floors, 'bytes') / 1_000),
      row('journal kept per execution', 'KB', kept / 1_000, 'its answer', resultBytes / 1_000),
      row('WAL after all clicks', 'MB', walBytes / 1e6, 'a megabyte', 1),
      ...[5, 20, 50].map((callers, index) =>
        row(`snapshots done, ${callers} callers of one phone`, '/s', crowd[index] ?? 0, 'one caller', one),
      ),
    ]
  } finally {
    await Promise.all(running.map(end))
    echo.close()
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

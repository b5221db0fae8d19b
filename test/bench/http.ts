/** What the HTTP server costs: against a bare one that answers the same bytes, device, server and client each a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { median } from '../support/lines.ts'
import { plainEnv, programPath } from '../support/run-program.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()
const WARM_UP = 30
const CALLS = 300
const SUSTAINED_MS = 4_000
const DEVICES = 8
const TREE_BYTES = 53_000
const FANS = 40

interface Program {
  child: ChildProcess
  /** The line it says after `ready`. */
  said: string
}

const children: ChildProcess[] = []

const start = async (name: string, ...args: string[]): Promise<Program> => {
  const child = spawn(process.execPath, [programPath(name), ...args], {
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let said = ''
  while (!/ready\n.*\n/.test(said)) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    said += chunk.toString()
  }
  return { child, said: said.split('\n')[1] ?? '' }
}

const stopAll = async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
}

/** The number of bytes of the answer's body. */
const post = (port: string, path: string, agent: Agent, body = '{}'): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, received => {
      let bytes = 0
      received.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      received.on('end', () =>
        received.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${received.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Microseconds, the median of single calls; taken in turn, so that a noisy moment meets all of them. */
const inTurn = async (works: readonly (() => Promise<unknown>)[], calls: number): Promise<number[]> => {
  const times = works.map((): number[] => [])
  for (let call = -WARM_UP; call < calls; call++) {
    for (const [index, work] of works.entries()) {
      const begun = clock.elapsed()
      await work()
      if (call >= 0) times[index]?.push((clock.elapsed() - begun) * 1_000)
    }
  }
  return times.map(median)
}

/** Calls per second of so many workers that each ask again as soon as they are answered. */
const sustained = async (workers: readonly (() => Promise<unknown>)[]): Promise<number> => {
  let calls = 0
  const until = clock.elapsed() + SUSTAINED_MS
  const begun = clock.elapsed()
  await Promise.all(
    workers.map(async work => {
      while (clock.elapsed() < until) {
        await work()
        calls += 1
      }
    }),
  )
  return (calls * 1_000) / (clock.elapsed() - begun)
}

interface Listener {
  /** Resolves at the next event `svc:execution` that has come whole. */
  next(): Promise<void>
  close(): void
}

const listenTo = (port: string): Promise<Listener> =>
  new Promise((resolve, reject) => {
    let heard = () => {}
    const sent = get({ host: '127.0.0.1', port, path: '/events', agent: false }, incoming => {
      let tail = ''
      let isSecond = false
      incoming.on('data', (chunk: Buffer) => {
        // The name stands near the beginning of an event, and nothing else in it looks like this.
        const text = tail + chunk.toString('latin1')
        isSecond ||= text.includes('event: svc:execution')
        tail = text.slice(-30)
        if (isSecond && tail.endsWith('\n\n')) {
          isSecond = false
          heard()
        }
      })
      incoming.on('error', () => {})
      resolve({
        next: () =>
          new Promise<void>(done => {
            heard = done
          }),
        close: () => void sent.destroy(),
      })
    })
    sent.on('error', reject)
  })

/** Microseconds from asking to the last of all listeners having heard. */
const fanOut = async (port: string, listeners: readonly Listener[], agent: Agent): Promise<number> => {
  const all = Promise.all(listeners.map(listener => listener.next()))
  const begun = clock.elapsed()
  await post(port, '/snapshot', agent)
  await all
  return (clock.elapsed() - begun) * 1_000
}

const residentMegabytes = ({ child }: Program): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
}

const us = (name: string, value: number, floor: string, at: number): BenchRow => ({
  name,
  value,
  unit: 'us',
  floor: `${floor} (${at.toFixed(0)} us)`,
  ratio: value / at,
})

const perSecond = (name: string, value: number, floor: string, at: number): BenchRow => ({
  name,
  value,
  unit: '/s',
  floor: `${floor} (${at.toFixed(0)} /s)`,
  ratio: value / at,
})

const executionRows = async (home: string, agent: Agent): Promise<BenchRow[]> => {
  const fleet = await start('http-fleet', `${DEVICES}`)
  const served = await start('http-serve', home, fleet.said)
  const serials = fleet.said.split(',')
  const body = (serial: string | undefined) => JSON.stringify({ deviceId: serial })
  const bytes = await post(served.said, '/snapshot', agent, body(serials[0]))
  const bare = await start('http-bare', `${bytes}`)
  const tiny = await start('http-bare', '11')
  const kilobytes = `${(bytes / 1_000).toFixed(0)} KB`

  const [snapshot = 0, floor = 0] = await inTurn(
    [() => post(served.said, '/snapshot', agent, body(serials[0])), () => post(bare.said, '/', agent)],
    CALLS,
  )
  const click = JSON.stringify({
    execution: {
      commandId: 'bench',
      taskId: 'bench',
      source: 'bench',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 20_000,
      actions: [{ id: 'tap', type: 'click', params: { coordinate: { x: 5, y: 200 } } }],
    },
  })
  const clickOn = (serial: string) => `${click.slice(0, -1)},"deviceId":${JSON.stringify(serial)}}`
  for (const serial of serials) await post(served.said, '/execute', agent, clickOn(serial))
  const rate = await sustained(serials.map(serial => () => post(served.said, '/execute', agent, clickOn(serial))))
  const trees = await sustained(serials.map(serial => () => post(served.said, '/snapshot', agent, body(serial))))
  const bareRate = await sustained(serials.map(() => () => post(tiny.said, '/', agent)))
  const bareTrees = await sustained(serials.map(() => () => post(bare.said, '/', agent)))
  await stopAll()
  return [
    us(`POST /snapshot, ${kilobytes}`, snapshot, 'bare HTTP, the same bytes', floor),
    perSecond(`${DEVICES} devices, clicks`, rate, `bare HTTP, ${DEVICES} workers`, bareRate),
    perSecond(`${DEVICES} devices, snapshots`, trees, `bare HTTP, ${DEVICES} workers, ${kilobytes}`, bareTrees),
  ]
}

const routeRows = async (agent: Agent): Promise<BenchRow[]> => {
  const fan = await start('http-fan', `${TREE_BYTES}`)
  const bytes = await post(fan.said, '/snapshot', agent)
  const bare = await start('http-bare', `${bytes}`)
  const [value = 0, floor = 0] = await inTurn(
    [() => post(fan.said, '/snapshot', agent), () => post(bare.said, '/', agent)],
    CALLS,
  )
  await stopAll()
  return [us('the route alone, no device, 53 KB', value, 'bare HTTP, the same bytes', floor)]
}

const fanRows = async (subscribers: number, agent: Agent): Promise<BenchRow[]> => {
  const fan = await start('http-fan', `${TREE_BYTES}`)
  const bytes = await post(fan.said, '/snapshot', agent)
  const bare = await start('http-bare', `${bytes}`)
  const connect = (port: string) => Promise.all(Array.from({ length: subscribers }, () => listenTo(port)))
  const [ours, theirs] = [await connect(fan.said), await connect(bare.said)]
  const times: [number[], number[]] = [[], []]
  for (let round = -5; round < FANS; round++) {
    const measured = [await fanOut(fan.said, ours, agent), await fanOut(bare.said, theirs, agent)] as const
    if (round >= 0) times.forEach((list, index) => void list.push(measured[index] ?? 0))
  }
  const resident = [residentMegabytes(fan), residentMegabytes(bare)] as const
  for (const listener of [...ours, ...theirs]) listener.close()
  await stopAll()
  const [value, floor] = times.map(median)
  return [
    us(`SSE to ${subscribers}, last delivery`, value ?? 0, `bare SSE to ${subscribers}`, floor ?? 0),
    {
      name: `SSE to ${subscribers}, resident`,
      value: resident[0],
      unit: 'MB',
      floor: `bare SSE (${resident[1].toFixed(0)} MB)`,
      ratio: resident[0] / resident[1],
    },
  ]
}

export const httpRows = async (): Promise<BenchRow[]> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const agent = new Agent({ keepAlive: true })
  try {
    return [
      ...(await executionRows(home, agent)),
      ...(await routeRows(agent)),
      ...(await fanRows(100, agent)),
      ...(await fanRows(1_000, agent)),
    ]
  } finally {
    agent.destroy()
    await stopAll()
    rmSync(home, { recursive: true, force: true })
  }
}

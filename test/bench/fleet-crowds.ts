/** What it costs a host that so many others are in its fleet, and what it takes to find one of their devices. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createInterface, type Interface } from 'node:readline'
import { systemClock } from '../../src/runtime/clock.ts'
import { startNatsLab } from '../support/fleet/nats-servers.ts'
import { median } from '../support/lines.ts'
import { plainEnv, programPath } from '../support/run-program.ts'
import { wait } from '../support/until.ts'
import { post, start as startBare, stopAll } from './http-load.ts'
import type { BenchRow } from './row.ts'

const SIZES = [30, 100, 300] as const
const DEVICES = 30
/** Of rest: as many beats of each host as make an average. */
const REST_MS = 6_000
const CHANGES = 5
const LISTS = 15
const clock = systemClock()

interface Asked {
  child: ChildProcess
  lines: Interface
  said: string
  ask<T>(line: string): Promise<T>
  end(): Promise<void>
}

/** A program that answers each line on stdin with one of JSON. */
const startAsked = async (name: string, ...args: string[]): Promise<Asked> => {
  const child = spawn(process.execPath, [programPath(name), ...args], {
    env: plainEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = []
  lines.on('line', line => waiting.shift()?.resolve(line))
  lines.on('close', () => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`${name} ended`))
  })
  const line = () => new Promise<string>((resolve, reject) => void waiting.push({ resolve, reject }))
  const both = [line(), line()]
  await both[0]
  return {
    child,
    lines,
    said: (await both[1]) ?? '',
    async ask(text) {
      const answered = line()
      child.stdin.write(`${text}\n`)
      return JSON.parse(await answered)
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

/** The number of bytes of the answer's body. */
const listDevices = (port: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/devices', agent }, received => {
      let bytes = 0
      received.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      received.on('end', () => resolve(bytes))
    }).on('error', reject)
  })

const timesOf = async (works: readonly (() => Promise<unknown>)[]): Promise<number[]> => {
  const times = works.map((): number[] => [])
  for (let call = -2; call < LISTS; call++) {
    for (const [index, work] of works.entries()) {
      const begun = clock.elapsed()
      await work()
      if (call >= 0) times[index]?.push(clock.elapsed() - begun)
    }
  }
  return times.map(median)
}

interface Measured {
  hosts: number
  rest: { cpuMs: number; messages: number; bytes: number; alive: number }
  join: { joinMs: number }
  place: { anyMs: number; oneMs: number; floorMs: number; devices: number }
  changeMs: number
  listMs: number
  listFloorMs: number
  listBytes: number
}

const measure = async (hosts: number, urls: readonly string[], agent: Agent): Promise<Measured> => {
  const crowd = await startAsked('fleet-crowd', urls.join(','), `${hosts}`, `${DEVICES}`)
  const view = await startAsked('fleet-view', urls.join(','), `${hosts}`)
  try {
    // Each was heard by then, and what begins has ended.
    await wait(REST_MS / 2)
    const rest = await view.ask<Measured['rest']>(`rest ${REST_MS}`)
    if (rest.alive !== hosts) throw new Error(`${rest.alive} of ${hosts} hosts are heard`)
    const join = await view.ask<Measured['join']>('join')
    const place = await view.ask<Measured['place']>('place')
    const changes: number[] = []
    for (let change = 0; change < CHANGES; change += 1) {
      const id = `h${(change * 7) % hosts}`
      const seen = view.ask<{ at: number }>(`await ${id}`)
      const told = await crowd.ask<{ begun: number; read: number }>(id)
      changes.push((Math.max(told.read, (await seen).at) - told.begun) / 1e6)
    }
    const listBytes = await listDevices(view.said, agent)
    const bare = await startBare('http-bare', `${listBytes}`)
    const [listMs = 0, listFloorMs = 0] = await timesOf([
      () => listDevices(view.said, agent),
      () => post(bare.said, '/', agent),
    ])
    return { hosts, rest, join, place, changeMs: median(changes), listMs, listFloorMs, listBytes }
  } finally {
    await view.end()
    await crowd.end()
    await stopAll()
  }
}

export const crowdRows = async (): Promise<BenchRow[]> => {
  const agent = new Agent({ keepAlive: true })
  const all: Measured[] = []
  for (const hosts of SIZES) {
    // Of their own: what an earlier crowd left would be known as hosts that are gone.
    const nats = await startNatsLab({ nodes: 3 })
    try {
      all.push(await measure(hosts, nats.urls, agent))
    } finally {
      await nats.close()
    }
  }
  agent.destroy()
  const [least] = all
  if (!least) return []
  /** Per host, against the smallest crowd: 1 is linear, less is better. */
  const scaled = (name: string, unit: string, of: (one: Measured) => number): BenchRow[] =>
    all.map(one => ({
      name: `${one.hosts} hosts: ${name}`,
      value: of(one),
      unit,
      floor: `per host, to ${least.hosts} hosts`,
      ratio: of(one) / one.hosts / (of(least) / least.hosts),
    }))
  const floored = (name: string, floor: string, of: (one: Measured) => readonly [number, number]): BenchRow[] =>
    all.map(one => {
      const [value, at] = of(one)
      return {
        name: `${one.hosts} hosts: ${name}`,
        value,
        unit: 'ms',
        floor: `${floor} (${at.toPrecision(2)} ms)`,
        ratio: value / at,
      }
    })
  return [
    ...scaled('CPU of knowing them, at rest', 'ms/s', ({ rest }) => rest.cpuMs),
    ...scaled('messages to one host', '/s', ({ rest }) => rest.messages),
    ...scaled('bytes to one host', 'KB/s', ({ rest }) => rest.bytes / 1_000),
    ...scaled('knowing all when it joins', 'ms', ({ join }) => join.joinMs),
    ...scaled('a change known to all', 'ms', ({ changeMs }) => changeMs),
    ...scaled('placing any:android>=12', 'ms', ({ place }) => place.anyMs),
    ...floored('placing any:android>=12', 'comparing one label of each', ({ place }) => [place.anyMs, place.floorMs]),
    ...scaled('placing a named device', 'us', ({ place }) => place.oneMs * 1_000),
    ...floored('GET /devices', 'bare HTTP, the same bytes', ({ listMs, listFloorMs }) => [listMs, listFloorMs]),
  ]
}

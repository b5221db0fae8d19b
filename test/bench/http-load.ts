/** What the benchmarks over HTTP share: programs that listen, calls to them, and how long or how often. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Agent, request } from 'node:http'
import { systemClock } from '../../src/runtime/clock.ts'
import { median } from '../support/lines.ts'
import { plainEnv, programPath } from '../support/run-program.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()
const WARM_UP = 300
const SUSTAINED_MS = 4_000

export interface Program {
  child: ChildProcess
  /** The line it says after `ready`. */
  said: string
}

const children: ChildProcess[] = []

export const start = async (name: string, ...args: string[]): Promise<Program> => {
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

export const stopAll = async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
}

/** The number of bytes of the answer's body. */
export const post = (port: string, path: string, agent: Agent, body = '{}'): Promise<number> =>
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
export const inTurn = async (works: readonly (() => Promise<unknown>)[], calls: number): Promise<number[]> => {
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
export const sustained = async (workers: readonly (() => Promise<unknown>)[]): Promise<number> => {
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

export const us = (name: string, value: number, floor: string, at: number): BenchRow => ({
  name,
  value,
  unit: 'us',
  floor: `${floor} (${at.toFixed(0)} us)`,
  ratio: value / at,
})

export const perSecond = (name: string, value: number, floor: string, at: number): BenchRow => ({
  name,
  value,
  unit: '/s',
  floor: `${floor} (${at.toFixed(0)} /s)`,
  ratio: value / at,
})

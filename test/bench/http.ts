/** What the HTTP server costs: against a bare one that answers the same bytes, device, server and client each a process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { median } from '../support/lines.ts'
import { executionRows } from './http-executions.ts'
import { inTurn, type Program, post, start, stopAll, us } from './http-load.ts'
import { skillRows } from './http-skills.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()
const CALLS = 1_000
const TREE_BYTES = 53_000
const FANS = 40

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
      ...(await skillRows()),
      ...(await fanRows(100, agent)),
      ...(await fanRows(1_000, agent)),
    ]
  } finally {
    agent.destroy()
    await stopAll()
    rmSync(home, { recursive: true, force: true })
  }
}

/** What a click costs through another host, and what it costs callers of a host that it is in a fleet. */
import { Agent } from 'node:http'
import { wait } from '../support/until.ts'
import { eventRows } from './fleet-events.ts'
import { clock, type HostName, type Stage, startStage } from './fleet-stage.ts'
import type { BenchRow } from './row.ts'

const CLICKS = 200
const WARM_UP = 30
const REST_MS = 8_000
/** For what the last click leaves to be done in other processes. */
const SETTLE_MS = 20
/** For what they leave to be done in their own. */
const CAUGHT_UP_MS = 500

const ROUTES = {
  routed: ['near', 'far'],
  direct: ['far', 'far'],
  own: ['near', 'near'],
  alone: ['alone', 'alone'],
} as const satisfies Record<string, readonly [HostName, HostName]>
type Route = keyof typeof ROUTES

const share = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map(value => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

const clickRows = async ({ click }: Stage): Promise<BenchRow[]> => {
  const times: Record<Route, number[]> = { routed: [], direct: [], own: [], alone: [] }
  const routes = Object.keys(ROUTES) as Route[]
  for (let round = -WARM_UP; round < CLICKS; round += 1) {
    // In any order, for what one leaves to be done meets the next.
    for (const route of shuffled(routes)) {
      const [at, of] = ROUTES[route]
      await wait(SETTLE_MS)
      const begun = clock.elapsed()
      await click(at, of)
      if (round >= 0) times[route].push(clock.elapsed() - begun)
    }
  }
  const rowOf = (name: string, of: Route, floor: string, at: Route, [said, part]: readonly [string, number]) => {
    const [value, least] = [share(times[of], part), share(times[at], part)]
    return {
      name: `${name}, ${said}`,
      value,
      unit: 'ms',
      floor: `${floor} (${least.toFixed(2)} ms)`,
      ratio: value / least,
    }
  }
  return (
    [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const
  ).flatMap(which => [
    rowOf('click through another host', 'routed', 'the same, sent to its host', 'direct', which),
    rowOf('click at a host of a fleet', 'own', 'svc serve in no fleet', 'alone', which),
  ])
}

/** What the processes use for a click, wherever the servers run: here these share its cores and its disk. */
const cpuRow = async ({ cpuMs, click }: Stage): Promise<BenchRow> => {
  const used = { near: 0, alone: 0 }
  for (const host of ['near', 'alone', 'alone', 'near'] as const) {
    const before = cpuMs(host)
    for (let clicks = 0; clicks < CLICKS / 2; clicks += 1) await click(host, host)
    await wait(CAUGHT_UP_MS)
    used[host] += (cpuMs(host) - before) / CLICKS
  }
  return {
    name: 'CPU of a click at a host of a fleet',
    value: used.near,
    unit: 'ms',
    floor: `svc serve in no fleet (${used.alone.toFixed(2)} ms)`,
    ratio: used.near / used.alone,
  }
}

const restRow = async ({ cpuMs }: Stage): Promise<BenchRow> => {
  const before = [cpuMs('far'), cpuMs('alone')] as const
  await wait(REST_MS)
  const perSecond = (used: number) => Math.max(used, 1) / (REST_MS / 1_000)
  const [value, floor] = [perSecond(cpuMs('far') - before[0]), perSecond(cpuMs('alone') - before[1])]
  return {
    name: 'CPU of a host with 30 phones at rest',
    value,
    unit: 'ms/s',
    floor: `svc serve in no fleet (${floor.toFixed(1)} ms/s)`,
    ratio: value / floor,
  }
}

export const routedRows = async (): Promise<BenchRow[]> => {
  const agent = new Agent({ keepAlive: true })
  const stage = await startStage(agent)
  try {
    const rows = [...(await clickRows(stage)), ...(await eventRows(stage))]
    // Only there it can be asked what another process has used.
    return process.platform === 'linux' ? [...rows, await cpuRow(stage), await restRow(stage)] : rows
  } finally {
    agent.destroy()
    await stage.close()
  }
}

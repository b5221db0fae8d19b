/** What a click costs through another host, and what it costs callers of a host that it is in a fleet. */
import { Agent } from 'node:http'
import { wait } from '../support/until.ts'
import { eventRows } from './fleet-events.ts'
import { clock, type HostName, type Stage, startStage } from './fleet-stage.ts'
import type { BenchRow } from './row.ts'

const CLICKS = 300
const WARM_UP = 30
const REST_MS = 8_000

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

const restRows = async ({ cpuMs }: Stage): Promise<BenchRow[]> => {
  if (process.platform !== 'linux') return []
  const before = [cpuMs('far'), cpuMs('alone')] as const
  await wait(REST_MS)
  const perSecond = (used: number) => Math.max(used, 1) / (REST_MS / 1_000)
  const [value, floor] = [perSecond(cpuMs('far') - before[0]), perSecond(cpuMs('alone') - before[1])]
  return [
    {
      name: 'CPU of a host with 30 phones at rest',
      value,
      unit: 'ms/s',
      floor: `svc serve in no fleet (${floor.toFixed(1)} ms/s)`,
      ratio: value / floor,
    },
  ]
}

export const routedRows = async (): Promise<BenchRow[]> => {
  const agent = new Agent({ keepAlive: true })
  const stage = await startStage(agent)
  try {
    return [...(await clickRows(stage)), ...(await eventRows(stage)), ...(await restRows(stage))]
  } finally {
    agent.destroy()
    await stage.close()
  }
}

/** What many devices cost a server at once, with a journal and without, and what a snapshot of one costs in time. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevices } from './executions.ts'
import { click, end, type Server, startServe } from './hot.ts'
import { inTurn, perSecond, post, start, stopAll, sustained, us } from './http-load.ts'
import type { BenchRow } from './row.ts'

const BUSY = 8
const CROWD = 200
const ROUNDS = 4
const CALLS = 500
/** The most that a server may hold for a crowd. */
const CROWD_MB = 140

const residentMb = ({ pid }: Server): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

const snapshotRow = async ({ port }: Server, serial: string, agent: Agent): Promise<BenchRow> => {
  const snapshot = () => post(port, '/snapshot', agent, JSON.stringify({ deviceId: serial }))
  const bytes = await snapshot()
  const bare = await start('http-bare', `${bytes}`)
  const [value = 0, floor = 0] = await inTurn([snapshot, () => post(bare.said, '/', agent)], CALLS)
  return us(`POST /snapshot, ${(bytes / 1_000).toFixed(0)} KB`, value, 'bare HTTP, the same bytes', floor)
}

/** Blocks of both in turn, so that a noisy moment meets both. */
const journalRow = async (on: Server, off: Server, serials: readonly string[], agent: Agent): Promise<BenchRow> => {
  const rate = ({ port }: Server) =>
    sustained(serials.map(serial => () => post(port, '/execute', agent, click(serial))))
  const rates = [0, 0]
  for (let block = -1; block < ROUNDS; block++) {
    for (const [index, server] of [on, off].entries()) {
      const measured = await rate(server)
      if (block >= 0) rates[index] = (rates[index] ?? 0) + measured / ROUNDS
    }
  }
  const [recorded = 0, unrecorded = 0] = rates
  return perSecond(`${serials.length} devices, clicks with a journal`, recorded, 'without one', unrecorded)
}

/** All at once, first clicks and then snapshots. */
const crowdRow = async (server: Server, serials: readonly string[], agent: Agent): Promise<BenchRow> => {
  const { port } = server
  const all = (path: string, bodyFor: (serial: string) => string) =>
    Promise.all(serials.map(serial => post(port, path, agent, bodyFor(serial))))
  for (let round = 0; round < ROUNDS; round++) await all('/execute', click)
  for (let round = 0; round < ROUNDS; round++) await all('/snapshot', serial => JSON.stringify({ deviceId: serial }))
  const value = residentMb(server)
  const name = `${serials.length} devices at once, most ever resident`
  return { name, value, unit: 'MB', floor: `${CROWD_MB} MB`, ratio: value / CROWD_MB }
}

export const crowdRows = async (): Promise<BenchRow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const agent = new Agent({ keepAlive: true })
  const running: { child: ChildProcess }[] = []
  const serve = async (name: string, serials: readonly string[], env: Record<string, string> = {}) => {
    const server = await startServe(mkdtempSync(join(folder, `${name}-`)), serials.join(','), env)
    running.push(server)
    return server
  }
  const devices = async (count: number) => {
    const started = await startDevices('socket', count)
    running.push(started)
    return started.serials
  }
  try {
    const busy = await devices(BUSY)
    const on = await serve('on', busy)
    const off = await serve('off', busy, { SVC_JOURNAL: 'off' })
    const snapshot = await snapshotRow(on, busy[0] ?? '', agent)
    const journal = await journalRow(on, off, busy, agent)
    await Promise.all([end(on), end(off)])
    const crowd = await devices(CROWD)
    return [snapshot, journal, await crowdRow(await serve('crowd', crowd), crowd, agent)]
  } finally {
    await Promise.all([stopAll(), ...running.map(end)])
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

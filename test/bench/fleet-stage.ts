/** Two hosts of a fleet and one in none, as real `svc serve` processes before simulated phones, on three NATS servers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Serving, startServe } from '../support/cli/serve.ts'
import { startNatsLab } from '../support/fleet/nats-servers.ts'
import { until } from '../support/until.ts'
import { post, start, stopAll } from './http-load.ts'

export const clock = systemClock()
const PHONES = { near: 1, far: 30, alone: 30 } as const
export type HostName = keyof typeof PHONES
const LONGEST_MS = 170_000
const READY_MS = 60_000

export interface Stage {
  port(host: HostName): string
  /** Of its first phone. */
  serial(host: HostName): string
  /** Clicks at `at` on the first phone of `of`. */
  click(at: HostName, of: HostName): Promise<unknown>
  /** Milliseconds of CPU that the process has used; Linux only. */
  cpuMs(host: HostName): number
  close(): Promise<void>
}

const clickOn = (serial: string) =>
  JSON.stringify({
    deviceId: serial,
    execution: {
      commandId: 'bench',
      taskId: 'bench',
      source: 'bench',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 20_000,
      actions: [{ id: 'tap', type: 'click', params: { coordinate: { x: 5, y: 200 } } }],
    },
  })

/** What Linux counts in, on every system that has /proc. */
const TICK_MS = 10

const cpuMsOf = (pid: number | undefined): number => {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * TICK_MS
}

export const startStage = async (agent: Agent): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const nats = await startNatsLab({ nodes: 3 })
  const hosts = new Map<HostName, { serving: Serving; serials: string[] }>()
  const close = async () => {
    await Promise.all([...hosts.values()].map(({ serving }) => serving.end()))
    await stopAll()
    await nats.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const hostOf = (host: HostName) => {
    const found = hosts.get(host)
    if (!found) throw new Error(`host ${host} was not started`)
    return found
  }
  const port = (host: HostName) => new URL(hostOf(host).serving.url).port
  const serial = (host: HostName) => hostOf(host).serials[0] ?? ''
  const click = (at: HostName, of: HostName) => post(port(at), '/execute', agent, clickOn(serial(of)))
  const inFleet = { SVC_FLEET: nats.urls.join(','), SVC_FLEET_MONITOR: nats.monitors.join(',') }
  try {
    for (const host of ['near', 'far', 'alone'] as const) {
      const home = join(folder, host)
      mkdirSync(join(home, '.svc'), { recursive: true, mode: 0o700 })
      const phones = await start('http-fleet', `${PHONES[host]}`)
      const env = {
        HOME: home,
        SVC_TCP_DEVICES: phones.said,
        ...(host === 'alone' ? {} : { ...inFleet, SVC_FLEET_HOST: host }),
      }
      const serving = await startServe({ env, cwd: home, longestMs: LONGEST_MS })
      hosts.set(host, { serving, serials: phones.said.split(',') })
      if (serving.url === '') throw new Error(`host ${host} did not start: ${serving.running.stderr()}`)
    }
    for (const [at, of] of [
      ['near', 'far'],
      ['far', 'far'],
      ['near', 'near'],
      ['alone', 'alone'],
    ] as const) {
      const works = () =>
        click(at, of).then(
          () => true,
          () => false,
        )
      await until(works, `a click at ${at} on the phone of ${of}`, READY_MS)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { port, serial, click, cpuMs: host => cpuMsOf(hostOf(host).serving.running.child.pid), close }
}

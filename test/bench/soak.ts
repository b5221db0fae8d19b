/** 100,000 clicks over twenty phones: whether memory, descriptors and the time of a click stay as they were at first. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { click, cpuMs, startServe } from './hot.ts'
import { post, start, stopAll } from './http-load.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()
const PHONES = 20
const CLICKS = Number(process.env.SVC_SOAK_CLICKS ?? 100_000)
/** Compared with each other: so many clicks after the warm-up, and the last ones. */
const COMPARED = 1_000
const WARM_UP = 3_000
/** The collector of the server decides when memory is given back: the mean of the looks of a tenth shows growth. */
const TENTHS = 10

interface Usage {
  rssMb: number
  descriptors: number
}
const usageOf = (pid: number): Usage => ({
  rssMb: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
})
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

export const soakRows = async (): Promise<BenchRow[]> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-soak-'))
  const agent = new Agent({ keepAlive: true })
  const { said } = await start('http-fleet', `${PHONES}`)
  const serials = said.split(',')
  const serve = await startServe(home, said)
  try {
    /** Each phone has one caller, which clicks again as soon as it is answered. */
    const clicks = async (count: number): Promise<{ ms: number; cpu: number }> => {
      const [cpu, begun] = [cpuMs(serve), clock.elapsed()]
      let left = count
      await Promise.all(
        serials.map(async serial => {
          while (left-- > 0) await post(serve.port, '/execute', agent, click(serial))
        }),
      )
      return { cpu: (cpuMs(serve) - cpu) / count, ms: (clock.elapsed() - begun) / count }
    }
    await clicks(WARM_UP)
    const first = await clicks(COMPARED)
    const tenths: Usage[][] = []
    const between = CLICKS - WARM_UP - 2 * COMPARED
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      const looks: Usage[] = []
      for (let look = 0; look < TENTHS; look++) {
        await clicks(Math.round(between / TENTHS / TENTHS))
        looks.push(usageOf(serve.pid))
      }
      tenths.push(looks)
      const { rssMb, descriptors } = looks.at(-1) ?? usageOf(serve.pid)
      process.stderr.write(`${tenth + 1} of ${TENTHS} tenths: ${rssMb.toFixed(0)} MB, ${descriptors} descriptors\n`)
    }
    const last = await clicks(COMPARED)
    const walMb = statSync(join(home, '.svc', 'journal', 'journal.db-wal')).size / 1e6
    const of = (tenth: number, what: keyof Usage) => mean((tenths.at(tenth) ?? []).map(usage => usage[what]))
    const row = (name: string, unit: string, value: number, floor: string, at: number): BenchRow => ({
      name: `${name} of ${CLICKS} clicks`,
      value,
      unit,
      floor: `${floor} (${at.toFixed(at < 10 ? 2 : 0)} ${unit})`,
      ratio: value / at,
    })
    return [
      row('time of a click, last 1,000', 'ms', last.ms, 'the first 1,000 hot ones', first.ms),
      row('CPU of a click, last 1,000', 'ms', last.cpu, 'the first 1,000 hot ones', first.cpu),
      row('memory, last tenth', 'MB', of(-1, 'rssMb'), 'the second tenth', of(1, 'rssMb')),
      row('descriptors, last tenth', '', of(-1, 'descriptors'), 'the first tenth', of(0, 'descriptors')),
      row('WAL at the end', 'MB', walMb, 'its limit on disk', 16.8),
    ]
  } finally {
    serve.child.kill('SIGTERM')
    await once(serve.child, 'close')
    await stopAll()
    agent.destroy()
    rmSync(home, { recursive: true, force: true })
  }
}
